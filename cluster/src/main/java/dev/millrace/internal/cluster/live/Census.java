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
import java.util.function.Predicate;

/// Asks which members an application has, for who is none of them. Waits for the log. Used by one
/// thread.
public final class Census {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String application;
  private final Log log;
  private final Clock clock;
  private final Runnable pause;

  /// The last sign of a member.
  ///
  /// @param atMillis when it was written, by the clock of its host, in milliseconds since 1970
  public record Said(Sign sign, long atMillis) {}

  /// @param pause between two looks
  public Census(String application, Log log, Clock clock, Runnable pause) {
    this.application = application;
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
    Split split = Signs.split(application);
    if (log.topics(List.of(split.stream())).isEmpty()) {
      return last;
    }
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    long begunNanos = clock.nanos();
    try (SplitReader reader = log.reader("census")) {
      reader.add(split, Position.of(offsets.start()));
      for (long next = offsets.start(); next < offsets.stableEnd(); ) {
        RecordBatch batch = reader.poll(POLL);
        if (batch == null) {
          requireTime(split, begunNanos);
          pause.run();
          continue;
        }
        take(batch, last);
        next = batch.nextOffset();
        batch.release();
      }
    }
    return last;
  }

  private void requireTime(Split split, long begunNanos) {
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
  }

  /// Returns the members that show that they live: they have not said that they go, and say
  /// something within their patience, for which this waits.
  ///
  /// @param asked says of a member whether it is asked for
  /// @param enough says whether those that were heard so far are enough
  /// @throws LogException if the topic cannot be read
  public SortedMap<String, Said> living(
      Predicate<Sign> asked, Predicate<SortedSet<String>> enough) {
    SortedMap<String, Said> before = last();
    SortedSet<String> awaited = new TreeSet<>();
    before.forEach((home, said) -> {
      if (!said.sign().phase().isGone() && asked.test(said.sign())) {
        awaited.add(home);
      }
    });
    SortedMap<String, Said> living = new TreeMap<>();
    long begunNanos = clock.nanos();
    long patienceNanos = Rhythm.patienceNanos(before.size());
    while (living.size() < awaited.size()
        && !enough.test(new TreeSet<>(living.keySet()))
        && clock.nanos() - begunNanos < patienceNanos) {
      pause.run();
      last()
          .forEach((home, said) -> {
            Said known = before.get(home);
            boolean isNew = known != null && known.sign().number() != said.sign().number();
            if (awaited.contains(home) && isNew && !said.sign().phase().isGone()) {
              living.put(home, said);
            }
          });
    }
    return living;
  }
}
