package dev.millrace.testkit.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What every [dev.millrace.spi.Log] must do: the model, and Kafka through any client.
///
/// A test class of the implementation extends this and says how to get one. Each test uses topics,
/// ids and groups of its own, so that all of them may share a broker.
public abstract class LogContract
    implements LogReadContract,
        LogWriteContract,
        LogOutsideContract,
        LogFenceContract,
        LogTopicContract,
        LogRandomContract {
  private LogBench bench;

  /// The log to be tested; called once a test.
  protected abstract LogUnderTest subject();

  @BeforeEach
  void openBench() {
    bench = new LogBench(subject());
  }

  @AfterEach
  void closeBench() {
    bench.close();
  }

  @Override
  public final LogBench bench() {
    return bench;
  }
}
