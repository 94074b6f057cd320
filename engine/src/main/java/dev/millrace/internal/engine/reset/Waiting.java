package dev.millrace.internal.engine.reset;

import dev.millrace.spi.Clock;
import dev.millrace.spi.LogException;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits for a log until something is so.
///
/// @param pause between two looks
record Waiting(Clock clock, Runnable pause) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Waits until something is so.
  ///
  /// @param otherwise what to say if it never is
  /// @throws ResetException after a minute
  void until(BooleanSupplier done, Supplier<String> otherwise) {
    long begun = clock.nanos();
    while (!done.getAsBoolean()) {
      if (clock.nanos() - begun > PATIENCE.toNanos()) {
        throw new ResetException(otherwise.get());
      }
      pause.run();
    }
  }

  /// Commits, and waits until that is decided.
  ///
  /// @return what became of it; of one whose answer was lost, the log tells
  Outcome commit(TransactionalWriter writer) {
    writer.commit();
    AtomicReference<Outcome> outcome = new AtomicReference<>(Outcome.PENDING);
    until(
        () -> {
          outcome.set(writer.outcome());
          return outcome.get() != Outcome.PENDING;
        },
        () ->
            "Whether the application was reset is unknown, because Kafka does not answer. The same"
                + " command without --yes shows its positions. "
                + writer.failure());
    if (outcome.get() == Outcome.UNKNOWN) {
      reopen(writer);
    }
    return outcome.get();
  }

  /// Has the log decide what it has not answered.
  private static void reopen(TransactionalWriter writer) {
    try {
      writer.open();
    } catch (LogException e) {
      if (e.kind() != LogException.Kind.FENCED) {
        throw e;
      }
    }
  }
}
