package dev.millrace.testkit.log;

import dev.millrace.spi.Log;
import dev.millrace.testkit.contract.LogContract;
import dev.millrace.testkit.contract.LogUnderTest;
import java.time.Duration;

/// The model without faults is a log.
class ModelLogContractTest extends LogContract {
  private final ModelLog log = ModelLog.of(1);
  private int names;
  private int connections;

  @Override
  protected LogUnderTest subject() {
    return new LogUnderTest() {
      @Override
      public Log connect() {
        return log.client("process-" + connections++);
      }

      @Override
      public String uniqueName(String hint) {
        return hint + "-" + names++;
      }

      @Override
      public synchronized void letTimePass() {
        log.advance(Duration.ofMillis(10));
      }

      @Override
      public int patience() {
        return 1000;
      }

      @Override
      public void deleteTopic(String topic) {
        log.deleteTopic(topic);
      }

      @Override
      public int randomRuns() {
        return 100;
      }
    };
  }
}
