package dev.millrace.internal.cluster.state;

import dev.millrace.internal.cluster.decide.Decisions;
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
import java.util.SortedMap;
import java.util.TreeMap;

/// What the owners of the tasks of an application have told of its state, together.
public final class StateReports {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  private StateReports() {}

  /// Returns how large the state of an application is, as far as it was told. Waits for the log.
  ///
  /// @param pause between two looks
  /// @throws LogException if the topic cannot be read
  public static StateSizes sizes(String application, Log log, Clock clock, Runnable pause) {
    String topic = Decisions.topic(application).name();
    if (log.topics(List.of(topic)).isEmpty()) {
      return StateSizes.UNKNOWN;
    }
    Split split = new Split(topic, 0);
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    SortedMap<Integer, StateReport> last = new TreeMap<>();
    int tasks = 0;
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
            last.put(report.task(), report);
            tasks = report.tasks();
          }
        }
        next = batch.nextOffset();
        batch.release();
      }
    }
    return together(last.values(), tasks);
  }

  /// What was told when there were more or fewer tasks is of other ones.
  ///
  /// @param tasks how many there are, by the last that was told
  static StateSizes together(Collection<StateReport> reports, int tasks) {
    SortedMap<Integer, Long> bytes = new TreeMap<>();
    List<StateReport> current = reports.stream().filter(each -> each.tasks() == tasks).toList();
    current.forEach(
        report -> report.stores().forEach((store, each) -> bytes.merge(store, each, Long::sum)));
    long migrated = current.stream().mapToLong(StateReport::migrated).sum();
    return new StateSizes(bytes, current.size(), tasks, migrated);
  }
}
