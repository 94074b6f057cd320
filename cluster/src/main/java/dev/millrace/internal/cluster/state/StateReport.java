package dev.millrace.internal.cluster.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the owner of a task tells of its state, for those who ask while nothing runs: a record of
/// the topic [Decisions#topic], beside what is decided.
///
/// Its key is `state/` and the number of the task. Its text is what is durable; lines that are not
/// known are passed over, so that later versions can say more.
///
///     millrace state 1
///     tasks = 4
///     migrated = 2000000
///     store 3 = 1288490188
///
/// @param tasks how many the application has, as the owner knows
/// @param migrated bytes of state of this task that its owner migrates in a second while it
///   migrates all of its tasks
/// @param stores bytes by the number of the store
public record StateReport(int task, int tasks, long migrated, SortedMap<Integer, Long> stores) {
  private static final String KEY = "state/";
  private static final String HEAD = "millrace state 1";
  private static final String EQUALS = " = ";
  private static final String TASKS = "tasks";
  private static final String MIGRATED = "migrated";
  private static final String STORE = "store ";

  public StateReport {
    stores = Collections.unmodifiableSortedMap(new TreeMap<>(stores));
  }

  /// Returns whether a store is larger or smaller than another report says, by more than a share of
  /// what that says.
  public boolean differs(StateReport other, double share) {
    if (!stores.keySet().equals(other.stores.keySet())) {
      return true;
    }
    return stores.entrySet().stream()
        .anyMatch(each -> {
          long before = other.stores.getOrDefault(each.getKey(), 0L);
          return Math.abs(each.getValue() - before) > share * before;
        });
  }

  /// Returns the record.
  ///
  /// @param millis since 1970
  public RecordBatch record(Split split, long millis) {
    return Recorded.record(split, KEY + task, text(), millis);
  }

  private String text() {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    Map<String, Long> said = new LinkedHashMap<>();
    said.put(TASKS, (long) tasks);
    said.put(MIGRATED, migrated);
    stores.forEach((number, bytes) -> said.put(STORE + number, bytes));
    said.forEach((name, value) -> text.append(name).append(EQUALS).append(value).append('\n'));
    return text.toString();
  }

  /// Returns what a record says; null if it is none of these, or none that this version reads.
  static @Nullable StateReport read(String key, String text) {
    List<String> lines = text.lines().toList();
    if (!key.startsWith(KEY) || lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
      return null;
    }
    try {
      int task = Integer.parseInt(key.substring(KEY.length()));
      Map<String, Long> said = new TreeMap<>();
      SortedMap<Integer, Long> stores = new TreeMap<>();
      for (String line : lines.subList(1, lines.size())) {
        String[] parts = line.split(EQUALS, 2);
        if (parts.length < 2) {
          continue;
        }
        if (parts[0].startsWith(STORE)) {
          stores.put(Integer.valueOf(parts[0].substring(STORE.length())), Long.valueOf(parts[1]));
        } else if (List.of(TASKS, MIGRATED).contains(parts[0])) {
          said.put(parts[0], Long.valueOf(parts[1]));
        }
      }
      int tasks = Math.toIntExact(said.getOrDefault(TASKS, 0L));
      return new StateReport(task, tasks, said.getOrDefault(MIGRATED, 0L), stores);
    } catch (NumberFormatException | ArithmeticException _) {
      return null;
    }
  }

  /// Returns what a record of a batch says, as [#read].
  static @Nullable StateReport read(RecordBatch batch, int i) {
    Bytes view = new Bytes();
    return batch.hasKey(i) && batch.hasValue(i) && batch.key(i, view).toUtf8().startsWith(KEY)
        ? read(batch.key(i, view).toUtf8(), batch.value(i, view).toUtf8())
        : null;
  }
}
