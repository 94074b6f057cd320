package dev.millrace.internal.engine.lease;

import dev.millrace.internal.engine.plan.StateSizes;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the containers of an application have told of its state, together.
public final class StateReports {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  private StateReports() {}

  /// Returns what the containers of an application have told, together. Waits for the log.
  ///
  /// @param pause between two looks
  /// @throws LogException if the topic cannot be read
  public static StateSizes sizes(String application, Log log, Clock clock, Runnable pause) {
    String topic = ContainerLease.topic(application).name();
    if (log.topics(List.of(topic)).isEmpty()) {
      return StateSizes.UNKNOWN;
    }
    Split split = new Split(topic, 0);
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    SortedMap<Integer, StateReport> last = new TreeMap<>();
    int containers = 0;
    long begunNanos = clock.nanos();
    try (SplitReader reader = log.reader("state")) {
      reader.add(split, Position.of(offsets.start()));
      for (long next = offsets.start(); next < offsets.stableEnd(); ) {
        RecordBatch batch = reader.poll(POLL);
        if (batch == null) {
          if (clock.nanos() - begunNanos > PATIENCE.toNanos()) {
            throw new LogException(
                LogException.Kind.UNAVAILABLE,
                "Topic '%s' could not be read within %d s.".formatted(topic, PATIENCE.toSeconds()));
          }
          pause.run();
          continue;
        }
        for (int i = 0; i < batch.size(); i++) {
          StateReport report = StateReport.read(batch, i);
          if (report != null) {
            last.put(report.container(), report);
            containers = report.containers();
          }
        }
        next = batch.nextOffset();
        batch.release();
      }
    }
    return together(last.values(), containers);
  }

  /// What other containers told when there were more or fewer of them is of other tasks.
  ///
  /// @param containers how many there are, by the last that has told
  static StateSizes together(Collection<StateReport> reports, int containers) {
    SortedMap<Integer, Long> bytes = new TreeMap<>();
    List<StateReport> current =
        reports.stream().filter(report -> report.containers() == containers).toList();
    current.forEach(
        report -> report.stores().forEach((store, each) -> bytes.merge(store, each, Long::sum)));
    OptionalDouble rate =
        current.stream().mapToLong(StateReport::migrated).filter(each -> each > 0).average();
    return new StateSizes(
        bytes, current.size(), containers, Math.round(rate.orElse(0) * containers));
  }
}
