package dev.millrace.internal.cluster.decide;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// Asks for members or hosts to be drained: their bundles go to others, and they get none until the
/// drain is taken back. Waits for the log. Used by one thread.
///
/// What is asked for stands in the topic of the [Decisions], and whoever leads obeys it.
public final class Drains {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Beside beside;
  private final Clock clock;

  /// @param application the name under which it is stored; its topics must exist
  /// @param pause between two looks
  public Drains(String application, Log log, Clock clock, Runnable pause) {
    beside = new Beside(application, "drains", log, clock, pause, PATIENCE);
    this.clock = clock;
  }

  /// Asks for something to be drained, or no more.
  ///
  /// @param name of a member or a host
  /// @throws LogException if it is not known that this was written
  public void drain(String name, boolean yes) {
    beside.write(List.of(split -> record(split, name, yes)));
  }

  private RecordBatch record(Split split, String name, boolean yes) {
    RecordBatch batch = RecordBatch.create().reset(split, new byte[0], 0);
    batch.append(0, Math.max(0, clock.millis()));
    byte[] key = (Codec.DRAINED + name).getBytes(StandardCharsets.UTF_8);
    batch.key(key, 0, key.length);
    if (yes) {
      int start = batch.data().length();
      Codec.writeDrained(batch.data());
      batch.endValue(start);
    }
    return batch;
  }
}
