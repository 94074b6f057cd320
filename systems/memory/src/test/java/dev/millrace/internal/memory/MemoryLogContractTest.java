package dev.millrace.internal.memory;

import dev.millrace.spi.Log;
import dev.millrace.testkit.contract.LogContract;
import dev.millrace.testkit.contract.LogUnderTest;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/// The log in memory is a log.
class MemoryLogContractTest extends LogContract {
  private final MemoryStore store = new MemoryStore();
  private final AtomicInteger names = new AtomicInteger();

  @AfterEach
  void close() {
    store.close();
  }

  @Override
  protected LogUnderTest subject() {
    return new LogUnderTest() {
      @Override
      public Log connect() {
        return store.connect();
      }

      @Override
      public String uniqueName(String hint) {
        return hint + "-" + names.getAndIncrement();
      }

      @Override
      public void letTimePass() {
        try {
          Thread.sleep(1);
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }

      @Override
      public int patience() {
        return 20_000;
      }

      @Override
      public void deleteTopic(String topic) {
        store.deleteTopic(topic);
      }

      @Override
      public int randomRuns() {
        return 30;
      }
    };
  }
}
