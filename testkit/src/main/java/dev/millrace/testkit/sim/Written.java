package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.KeyShare;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.ShareOfState;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;

/// What a job has committed: the records of its topics, and its state as the changelog tells it.
final class Written {
  private static final int NUMBER_BYTES = 2;

  private final Plan plan;
  private final Log log;
  private final BiFunction<String, Integer, List<ModelRecord>> read;

  /// @param read gives all committed records of a topic's partition
  Written(Plan plan, Log log, BiFunction<String, Integer, List<ModelRecord>> read) {
    this.plan = plan;
    this.log = log;
    this.read = read;
  }

  static Written by(Simulation simulation) {
    return new Written(
        simulation.plan(),
        simulation.log(),
        (topic, partition) -> simulation.log().records(topic, partition));
  }

  Plan plan() {
    return plan;
  }

  /// The records of a partition, in order.
  List<ModelRecord> records(Split split) {
    return read.apply(split.stream(), split.partition());
  }

  /// The records of a topic, partition by partition, in order.
  List<ModelRecord> records(String topic) {
    int partitions = Objects.requireNonNull(log.topics(List.of(topic)).get(topic)).partitions();
    List<ModelRecord> all = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      all.addAll(records(new Split(topic, i)));
    }
    return all;
  }

  /// What the changelog says of a task: of each key the last value that is no deletion, by the
  /// changelog's keys, the commit record among them.
  ///
  /// @param into what is known of it already, up to offset `from`
  TreeMap<Bytes, Bytes> replay(int task, long from, TreeMap<Bytes, Bytes> into) {
    for (ModelRecord record : records(new Split(plan.changelogTopic(), task))) {
      if (record.offset() >= from) {
        Bytes key = Objects.requireNonNull(record.key());
        if (record.value() == null) {
          into.remove(key);
        } else {
          into.put(key, record.value());
        }
      }
    }
    return into;
  }

  /// What the changelogs say of a task that may have been split: of its own keys, the commit record
  /// among them.
  TreeMap<Bytes, Bytes> state(Plan.TaskId task) {
    TreeMap<Bytes, Bytes> all = replayWithBase(task);
    Bytes record = all.get(CommitRecord.KEY);
    if (record != null) {
      keep(all, task, CommitRecord.read(record).keys());
    }
    return all;
  }

  /// What the changelogs say of a task, with what others have now that had it before.
  private TreeMap<Bytes, Bytes> replayWithBase(Plan.TaskId task) {
    Integer parent = plan.splits().parents().get(task.number());
    TreeMap<Bytes, Bytes> base = new TreeMap<>();
    if (parent != null) {
      base = replayWithBase(plan.task(parent));
      base.remove(CommitRecord.KEY);
      keep(base, task, plan.splits().firstShare(task.number()));
    }
    return replay(task.number(), 0, base);
  }

  private void keep(TreeMap<Bytes, Bytes> entries, Plan.TaskId task, KeyShare share) {
    ShareOfState own = new ShareOfState(plan.stage(task.stage()), share);
    entries.keySet().removeIf(key -> !key.equals(CommitRecord.KEY) && !own.has(key));
  }

  /// The entries of a store in all tasks.
  <K, V> Map<K, V> store(String name, Serde<K> keys, Serde<V> values) {
    Map<K, V> entries = new TreeMap<>();
    for (Map<Bytes, Bytes> ofTask : tasks(name)) {
      ofTask.forEach((key, value) -> put(entries, keys.read(key), values.read(value), name));
    }
    return entries;
  }

  /// The entries of a store, task by task.
  List<Map<Bytes, Bytes>> tasks(String name) {
    List<Map<Bytes, Bytes>> tasks = new ArrayList<>();
    for (Plan.Stage stage : plan.stages()) {
      for (Plan.Store store : stage.stores()) {
        if (store.spec().name().equals(name)) {
          for (Plan.TaskId task : plan.tasks()) {
            if (task.stage() == stage.index()) {
              tasks.add(entries(task, store));
            }
          }
        }
      }
    }
    return tasks;
  }

  private Map<Bytes, Bytes> entries(Plan.TaskId task, Plan.Store store) {
    Map<Bytes, Bytes> entries = new TreeMap<>();
    state(task)
        .forEach((key, value) -> {
          if (numberIn(key) == store.number()) {
            entries.put(withoutNumber(key), value);
          }
        });
    return entries;
  }

  private static <K, V> void put(Map<K, V> entries, K key, V value, String store) {
    if (entries.put(key, value) != null) {
      throw new AssertionError("Two tasks have key " + key + " in store '" + store + "'.");
    }
  }

  private static int numberIn(Bytes key) {
    return key.equals(CommitRecord.KEY) ? 0 : (key.get(0) & 0xFF) << 8 | (key.get(1) & 0xFF);
  }

  private static Bytes withoutNumber(Bytes key) {
    return new Bytes().set(key.array(), key.offset() + NUMBER_BYTES, key.length() - NUMBER_BYTES);
  }
}
