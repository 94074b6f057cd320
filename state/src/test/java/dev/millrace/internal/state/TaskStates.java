package dev.millrace.internal.state;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Opens task states for tests, and moves their entries down.
final class TaskStates {
  static final StoreSpec<String, String> TEXTS =
      StoreSpec.keyValue("texts", TestSerdes.STRING, TestSerdes.STRING);
  static final StoreSpec<Bytes, Bytes> VIEWS =
      StoreSpec.keyValue("views", TestSerdes.VIEW, TestSerdes.VIEW);
  static final StoreSpec<String, List<Integer>> LISTS =
      StoreSpec.keyValue("lists", TestSerdes.STRING, TestSerdes.LIST);
  static final StoreSpec<Long, Long> COUNTS =
      StoreSpec.keyValue("counts", TestSerdes.LONG, TestSerdes.LONG);

  private TaskStates() {}

  /// Opens a state whose stores are numbered from 1.
  static TaskState open(FakeDisk disk, StateLimits limits, StoreSpec<?, ?>... specs) {
    List<NumberedStore> stores = new ArrayList<>();
    for (StoreSpec<?, ?> spec : specs) {
      stores.add(new NumberedStore(stores.size() + 1, spec));
    }
    return new TaskState("2-5", disk, stores, limits);
  }

  static TaskState open(FakeDisk disk, StoreSpec<?, ?>... specs) {
    return open(disk, StateLimits.defaults(), specs);
  }

  /// A state that keeps no clean object.
  static TaskState openUncached(FakeDisk disk, StoreSpec<?, ?>... specs) {
    return open(disk, StateLimits.defaults().withCacheBytes(0), specs);
  }

  /// Collects, as `key=value` in hexadecimal, `key-` for a deletion.
  static List<String> collect(TaskState state) {
    List<String> changes = new ArrayList<>();
    state.collect((key, value) -> changes.add(value == null ? key + "-" : key + "=" + value));
    return changes;
  }

  static void commit(TaskState state) {
    collect(state);
    state.acknowledge();
  }

  static void commitAndFlush(TaskState state) {
    commit(state);
    state.flush(new byte[] {1});
  }

  /// The entries between two keys, as `key=value`.
  static <K, V> List<String> range(CachedStore<K, V> store, @Nullable K from, @Nullable K to) {
    List<String> entries = new ArrayList<>();
    store.range(from, to, (key, value) -> entries.add(key + "=" + value));
    return entries;
  }
}
