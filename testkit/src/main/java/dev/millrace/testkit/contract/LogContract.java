package dev.millrace.testkit.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Tests the contract that every [dev.millrace.spi.Log] must keep: the model, and Kafka with any
/// client.
///
/// A test class of the implementation extends this and returns the log to test. Each test uses its
/// own topics, ids and groups, so that all of them may share a broker.
public abstract class LogContract
    implements LogReadContract,
        LogWriteContract,
        LogOutsideContract,
        LogFenceContract,
        LogTopicContract,
        LogRandomContract {
  private LogBench bench;

  /// Returns the log to test; called once for each test.
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
