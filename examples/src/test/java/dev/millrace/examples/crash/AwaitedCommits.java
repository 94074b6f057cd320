package dev.millrace.examples.crash;

import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Lets a worker stand still until its commit is decided, so that the next one holds no more than
/// what is computed in one interval, however long the log takes.
final class AwaitedCommits extends ForwardingWriter {
  private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();

  private Outcome decided = Outcome.OPEN;

  AwaitedCommits(TransactionalWriter inner) {
    super(inner);
  }

  @Override
  public void commit() {
    inner.commit();
    decided = inner.outcome();
    while (decided == Outcome.PENDING) {
      LockSupport.parkNanos(LOOK_NANOS);
      decided = inner.outcome();
    }
  }

  @Override
  public Outcome outcome() {
    if (decided == Outcome.OPEN) {
      return inner.outcome();
    }
    Outcome told = decided;
    decided = Outcome.OPEN;
    return told;
  }
}
