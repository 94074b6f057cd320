package dev.millrace.internal.cluster.decide;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Asks for members or hosts to be drained: their bundles go to others, and they get none until the
/// drain is taken back. Waits for the log. Used by one thread.
///
/// What is asked for stands in the topic of the [Decisions], and whoever leads obeys it.
public final class Drains {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String application;
  private final Log log;
  private final Clock clock;
  private final Runnable pause;

  /// @param application the name under which it is stored; its topics must exist
  /// @param pause between two looks
  public Drains(String application, Log log, Clock clock, Runnable pause) {
    this.application = application;
    this.log = log;
    this.clock = clock;
    this.pause = pause;
  }

  /// Asks for something to be drained, or no more.
  ///
  /// @param name of a member or a host
  /// @throws LogException if that cannot be written
  public void drain(String name, boolean yes) {
    Split split = Decisions.split(application);
    RecordBatch batch = RecordBatch.create().reset(split, new byte[0], 0);
    batch.append(0, Math.max(0, clock.millis()));
    byte[] key = (Codec.DRAINED + name).getBytes(StandardCharsets.UTF_8);
    batch.key(key, 0, key.length);
    if (yes) {
      int start = batch.data().length();
      Codec.writeDrained(batch.data());
      batch.endValue(start);
    }
    try (TransactionalWriter writer = log.writer(application + "@drains", PATIENCE)) {
      writer.open();
      writer.sendOutside(split, batch);
      writer.commit();
      long begunNanos = clock.nanos();
      Outcome outcome = writer.outcome();
      while (outcome == Outcome.PENDING && clock.nanos() - begunNanos < PATIENCE.toNanos()) {
        pause.run();
        outcome = writer.outcome();
      }
      if (outcome != Outcome.COMMITTED) {
        throw new LogException(
            LogException.Kind.UNAVAILABLE,
            "Nothing could be written to topic '%s' within %d s."
                .formatted(split.stream(), PATIENCE.toSeconds()));
      }
    }
  }
}
