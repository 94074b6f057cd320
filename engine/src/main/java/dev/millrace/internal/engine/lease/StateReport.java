package dev.millrace.internal.engine.lease;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.StateSizes;
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
import org.jspecify.annotations.Nullable;

/// What a container tells of its state, for those who ask while nothing runs: a record of the topic
/// [ContainerLease#topic], beside its signs of life.
///
/// Its key is `state/` and the number of the container. Its text is what is durable; lines that are
/// not known are passed over, so that later versions can say more.
///
///     millrace state 1
///     containers = 4
///     migrated = 8000000
///     store 3 = 1288490188
///
/// @param containers how many there are, as this one was told
/// @param migrated bytes of state that its workers together migrate in a second, if there are any;
///   0 if a version told it that did not say
/// @param stores bytes by the number of the store
public record StateReport(
    int container, int containers, long migrated, SortedMap<Integer, Long> stores) {
  private static final String KEY = "state/";
  private static final String HEAD = "millrace state 1";
  private static final String EQUALS = " = ";
  private static final String CONTAINERS = "containers";
  private static final String MIGRATED = "migrated";
  private static final String STORE = "store ";

  public StateReport {
    stores = Collections.unmodifiableSortedMap(new TreeMap<>(stores));
  }

  /// Returns what a container can tell; null unless all of its tasks were measured.
  public static @Nullable StateReport of(Placement placement, Collection<TaskMetrics> tasks) {
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
        placement.workers() * StateSizes.MIGRATED_BYTES_PER_SECOND,
        stores);
  }

  /// Returns whether a record of the topic is one of these.
  public static boolean isKey(String key) {
    return key.startsWith(KEY);
  }

  /// Returns the record.
  ///
  /// @param millis since 1970
  public RecordBatch record(Split split, long millis) {
    return Recorded.record(split, KEY + container, text(), millis);
  }

  private String text() {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    Map<String, Long> said = new LinkedHashMap<>();
    said.put(CONTAINERS, (long) containers);
    said.put(MIGRATED, migrated);
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
        } else if (List.of(CONTAINERS, MIGRATED).contains(parts[0])) {
          said.put(parts[0], Long.valueOf(parts[1]));
        }
      }
      int containers = Math.toIntExact(said.getOrDefault(CONTAINERS, 0L));
      return new StateReport(container, containers, said.getOrDefault(MIGRATED, 0L), stores);
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
}
