package dev.millrace.internal.cluster.decide;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/// Writes records beside the [Decisions] of an application, for who does not decide: outside
/// transactions, so that who dies meanwhile holds no reader back. Waits for the log. Used by one
/// thread.
public final class Beside {
  private final String application;
  private final String writer;
  private final Log log;
  private final Clock clock;
  private final Runnable pause;
  private final Duration patience;

  /// @param application the name under which it is stored; its topics must exist
  /// @param writer tells writers apart that may write at the same time
  /// @param pause between two looks
  /// @param patience how long the log is waited for
  public Beside(
      String application, String writer, Log log, Clock clock, Runnable pause, Duration patience) {
    this.application = application;
    this.writer = writer;
    this.log = log;
    this.clock = clock;
    this.pause = pause;
    this.patience = patience;
  }

  /// Writes records.
  ///
  /// @param records are given the partition that they are of
  /// @throws LogException if it is not known that all of them were written
  public void write(List<Function<Split, RecordBatch>> records) {
    Split split = Decisions.split(application);
    try (TransactionalWriter open = log.writer(application + "@" + writer, patience)) {
      open.open();
      for (Function<Split, RecordBatch> each : records) {
        open.sendOutside(split, each.apply(split));
      }
      open.commit();
      long begunNanos = clock.nanos();
      Outcome outcome = open.outcome();
      while (outcome == Outcome.PENDING && clock.nanos() - begunNanos < patience.toNanos()) {
        pause.run();
        outcome = open.outcome();
      }
      if (outcome != Outcome.COMMITTED) {
        throw new LogException(
            LogException.Kind.UNAVAILABLE,
            "It is not known whether what was to be written to topic '%s' is there, after %d s at most (%s). Try again."
                .formatted(split.stream(), patience.toSeconds(), outcome));
      }
    }
  }
}
