package dev.millrace.internal.engine.lease;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// What a container tells of its state, for those who ask while nothing runs: a record of the topic
/// [ContainerLease#topic], beside its signs of life.
///
/// Its key is `state/` and the number of the container. Its text is what is durable; lines that are
/// not known are passed over, so that later versions can say more.
///
///     millrace state 1
///     containers = 4
///     replay = 31457280
///     flush = 104857600
///     store 3 = 1288490188
///
/// @param containers how many there are, as this one was told
/// @param replay bytes a second that its workers together replayed; 0 if it was too little to tell
/// @param flush bytes a second that they flushed; 0 if it was too little to tell
/// @param stores bytes by the number of the store
public record StateReport(
    int container, int containers, long replay, long flush, SortedMap<Integer, Long> stores) {
  private static final String KEY = "state/";
  private static final String HEAD = "millrace state 1";
  private static final String EQUALS = " = ";
  private static final String CONTAINERS = "containers";
  private static final String REPLAY = "replay";
  private static final String FLUSH = "flush";
  private static final String STORE = "store ";

  public StateReport {
    stores = Collections.unmodifiableSortedMap(new TreeMap<>(stores));
  }

  /// Returns what a container can tell; null unless all of its tasks were measured.
  public static @Nullable StateReport of(
      Placement placement, Collection<TaskMetrics> tasks, Collection<WorkerMetrics> workers) {
    SortedMap<Integer, Long> stores = new TreeMap<>();
    for (TaskMetrics task : tasks) {
      SortedMap<Integer, Long> measured = task.storeBytes();
      if (measured == null) {
        return null;
      }
      measured.forEach((store, bytes) -> stores.merge(store, bytes, Long::sum));
    }
    return new StateReport(
        placement.container(),
        placement.containers(),
        sum(workers, WorkerMetrics::replayBytesPerSecond),
        sum(workers, WorkerMetrics::flushBytesPerSecond),
        stores);
  }

  private static long sum(Collection<WorkerMetrics> workers, ToLongFunction<WorkerMetrics> rate) {
    return workers.stream().mapToLong(rate).sum();
  }

  /// Returns whether a record of the topic is one of these.
  public static boolean isKey(String key) {
    return key.startsWith(KEY);
  }

  /// Returns the record.
  ///
  /// @param millis since 1970
  RecordBatch record(Split split, long millis) {
    return Recorded.record(split, KEY + container, text(), millis);
  }

  private String text() {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    Map<String, Long> said = new LinkedHashMap<>();
    said.put(CONTAINERS, (long) containers);
    said.put(REPLAY, replay);
    said.put(FLUSH, flush);
    stores.forEach((number, bytes) -> said.put(STORE + number, bytes));
    said.forEach((name, value) -> text.append(name).append(EQUALS).append(value).append('\n'));
    return text.toString();
  }

  /// Returns what a record says; null if it is none of these, or none that this version reads.
  static @Nullable StateReport read(String key, String text) {
    List<String> lines = text.lines().toList();
    if (!isKey(key) || lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
      return null;
    }
    try {
      int container = Integer.parseInt(key.substring(KEY.length()));
      Map<String, Long> said = new TreeMap<>();
      SortedMap<Integer, Long> stores = new TreeMap<>();
      for (String line : lines.subList(1, lines.size())) {
        String[] parts = line.split(EQUALS, 2);
        if (parts.length < 2) {
          continue;
        }
        if (parts[0].startsWith(STORE)) {
          stores.put(Integer.valueOf(parts[0].substring(STORE.length())), Long.valueOf(parts[1]));
        } else if (List.of(CONTAINERS, REPLAY, FLUSH).contains(parts[0])) {
          said.put(parts[0], Long.valueOf(parts[1]));
        }
      }
      int containers = Math.toIntExact(said.getOrDefault(CONTAINERS, 0L));
      return new StateReport(
          container,
          containers,
          said.getOrDefault(REPLAY, 0L),
          said.getOrDefault(FLUSH, 0L),
          stores);
    } catch (NumberFormatException | ArithmeticException _) {
      return null;
    }
  }

  /// Returns what a record of a batch says, as [#read].
  static @Nullable StateReport read(RecordBatch batch, int i) {
    Bytes view = new Bytes();
    return batch.hasKey(i) && batch.hasValue(i)
        ? read(batch.key(i, view).toUtf8(), batch.value(i, view).toUtf8())
        : null;
  }

  /// Returns about how many bytes of state a second are written anew: what is slower of reading
  /// entries into the state and writing them to the disk; 0 if neither is known.
  long rewriting() {
    return replay == 0 || flush == 0 ? Math.max(replay, flush) : Math.min(replay, flush);
  }
}
