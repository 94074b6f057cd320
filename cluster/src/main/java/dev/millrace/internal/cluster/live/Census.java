package dev.millrace.internal.cluster.live;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Asks which members an application has, for who is none of them. Waits for the log. Used by one
/// thread.
public final class Census {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Split split;
  private final Log log;
  private final Clock clock;
  private final Runnable pause;

  /// The last sign of a member.
  ///
  /// @param atMillis when it was written, by the clock of its host, in milliseconds since 1970
  public record Said(Sign sign, long atMillis) {}

  /// @param pause between two looks
  public Census(String application, Log log, Clock clock, Runnable pause) {
    split = Signs.split(application);
    this.log = log;
    this.clock = clock;
    this.pause = pause;
  }

  /// Returns the last sign of each member that has said something in the last day, the dead
  /// included; empty if the topic does not exist.
  ///
  /// @throws LogException if the topic cannot be read
  public SortedMap<String, Said> last() {
    SortedMap<String, Said> last = new TreeMap<>();
    if (log.topics(List.of(split.stream())).isEmpty()) {
      return last;
    }
    Log.Offsets offsets = offsets();
    long begunNanos = clock.nanos();
    try (SplitReader reader = log.reader("census")) {
      reader.add(split, Position.of(offsets.start()));
      for (long next = offsets.start(); next < offsets.stableEnd(); ) {
        RecordBatch batch = reader.poll(POLL);
        if (batch == null) {
          requireTime(begunNanos);
          pause.run();
          continue;
        }
        next = batch.nextOffset();
        take(batch, last);
      }
    }
    return last;
  }

  /// Returns the members that show that they live, as [#living(SortedMap)].
  ///
  /// @throws LogException if the topic cannot be read
  public SortedMap<String, Said> living() {
    return living(last());
  }

  /// Returns those of some members that show that they live: they have not said that they go, and
  /// say something within their patience, for which this waits.
  ///
  /// @param before what [#last] has returned
  /// @throws LogException if the topic cannot be read
  public SortedMap<String, Said> living(SortedMap<String, Said> before) {
    SortedSet<String> awaited = new TreeSet<>(before.keySet());
    awaited.removeIf(home -> isGone(before.get(home)));
    SortedMap<String, Said> living = new TreeMap<>();
    if (awaited.isEmpty()) {
      return living;
    }
    long begunNanos = clock.nanos();
    long patienceNanos = Rhythm.patienceNanos(before.size());
    try (SplitReader reader = log.reader("census")) {
      reader.add(split, Position.of(offsets().stableEnd()));
      while (!living.keySet().containsAll(awaited) && clock.nanos() - begunNanos < patienceNanos) {
        RecordBatch batch = reader.poll(POLL);
        if (batch == null) {
          pause.run();
        } else {
          take(batch, living);
        }
      }
    }
    living.values().removeIf(Census::isGone);
    return living;
  }

  private static boolean isGone(@Nullable Said said) {
    return said == null || said.sign().phase().isGone();
  }

  private Log.Offsets offsets() {
    return Objects.requireNonNull(log.offsets(List.of(split)).get(split));
  }

  private void requireTime(long begunNanos) {
    if (clock.nanos() - begunNanos > PATIENCE.toNanos()) {
      throw new LogException(
          LogException.Kind.UNAVAILABLE,
          "The signs of life in topic '%s' could not be read within %d s."
              .formatted(split.stream(), PATIENCE.toSeconds()));
    }
  }

  private static void take(RecordBatch batch, SortedMap<String, Said> last) {
    Bytes view = new Bytes();
    for (int i = 0; i < batch.size(); i++) {
      if (batch.hasKey(i) && batch.hasValue(i)) {
        String home = batch.key(i, view).toUtf8();
        Sign sign = Sign.read(home, batch.value(i, view));
        if (sign != null) {
          last.put(home, new Said(sign, batch.timestamp(i)));
        }
      }
    }
    batch.release();
  }
}
