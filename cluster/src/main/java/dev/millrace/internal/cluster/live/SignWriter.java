package dev.millrace.internal.cluster.live;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;

/// Writes the signs of one member, one at a time. Used by one thread.
///
/// Signs are written outside transactions: a member that dies in the middle of one holds nobody's
/// readers back.
public final class SignWriter implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();

  private final Split split;
  private final Clock clock;
  private final TransactionalWriter writer;
  private boolean opened;
  private boolean writing;
  private long number;
  private long acknowledged;
  private long acknowledgedNanos;
  private long notBeforeNanos;

  public SignWriter(String application, String home, Log log, Clock clock) {
    split = Signs.split(application);
    this.clock = clock;
    writer = log.writer(application + "@member." + home, TIMEOUT);
    notBeforeNanos = clock.nanos();
    acknowledgedNanos = notBeforeNanos;
  }

  /// Returns whether a sign can be said now.
  public boolean isFree() {
    return !writing && clock.nanos() - notBeforeNanos >= 0;
  }

  /// Returns the number of the last sign that the log has acknowledged.
  public long acknowledged() {
    return acknowledged;
  }

  /// Returns when that was, on this process's clock.
  public long acknowledgedNanos() {
    return acknowledgedNanos;
  }

  /// Begins to write a sign; [#step] goes on. Opening the writer may wait for the log. Does nothing
  /// unless [#isFree].
  ///
  /// @throws LogException if the log cannot be reached now
  public void say(Sign sign) {
    if (!isFree()) {
      return;
    }
    if (!opened) {
      notBeforeNanos = clock.nanos() + RETRY_NANOS;
      writer.open();
      opened = true;
    }
    RecordBatch batch = RecordBatch.create().reset(split, new byte[0], 0);
    batch.append(0, Math.max(0, clock.millis()));
    byte[] key = sign.key();
    batch.key(key, 0, key.length);
    int start = batch.data().length();
    sign.write(batch.data());
    batch.endValue(start);
    writer.sendOutside(split, batch);
    writer.commit();
    number = sign.number();
    writing = true;
  }

  /// Hears whether the last sign has arrived.
  public void step() {
    if (!writing) {
      return;
    }
    switch (writer.outcome()) {
      case PENDING -> {}
      case COMMITTED -> {
        writing = false;
        acknowledged = number;
        acknowledgedNanos = clock.nanos();
        notBeforeNanos = acknowledgedNanos;
      }
      case ABORTED -> later();
      case UNKNOWN, FENCED -> {
        opened = false;
        later();
      }
      case OPEN -> throw new AssertionError("A commit was requested and is discarded.");
    }
  }

  private void later() {
    writing = false;
    notBeforeNanos = clock.nanos() + RETRY_NANOS;
  }

  @Override
  public void close() {
    writer.close();
  }
}
