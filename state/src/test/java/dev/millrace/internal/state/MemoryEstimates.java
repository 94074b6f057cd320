package dev.millrace.internal.state;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.layer.ArrayPool;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layer;
import dev.millrace.internal.state.layer.RestoreBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// Fills the structures of a task's state in a heap that holds nothing else, and says on a line
/// each what they claim to take and what they take. A process of its own, so that the difference
/// between two collections is nothing but them.
final class MemoryEstimates {
  private static final List<Object> KEPT = new ArrayList<>();

  private MemoryEstimates() {}

  public static void main(String[] args) {
    measure("warm-up", MemoryEstimates::layer, 1_000, 100);
    for (int entries : new int[] {30_000, 48_000, 100_000}) {
      for (int bytes : new int[] {60, 100, 400}) {
        String size = entries + " entries of " + bytes;
        measure("layer, " + size, MemoryEstimates::layer, entries, bytes);
        measure("ordered layer, " + size, MemoryEstimates::orderedLayer, entries, bytes);
        measure("restored, " + size, MemoryEstimates::restored, entries, bytes);
      }
      measure("objects, " + entries + " counts", MemoryEstimates::counts, entries, 8);
      measure("objects, " + entries + " texts", MemoryEstimates::texts, entries, 100);
      measure("objects, " + entries + " views", MemoryEstimates::views, entries, 100);
      measure("objects, " + entries + " of ten times as many", MemoryEstimates::shrunk, entries, 0);
    }
  }

  /// Fills something with so many entries, and keeps it.
  @FunctionalInterface
  private interface Filling {
    /// @return what it claims to take
    long fill(int entries, int bytes);
  }

  private static void measure(String what, Filling filling, int entries, int bytes) {
    KEPT.clear();
    long before = used();
    long claimed = filling.fill(entries, bytes);
    long taken = used() - before;
    System.out.println(claimed + " " + taken + " " + what);
  }

  /// Collects until nothing more is found to be dead: what is reachable from what has died may be
  /// found later only.
  private static long used() {
    long last = Long.MAX_VALUE;
    long now = collected();
    while (now < last) {
      last = now;
      now = collected();
    }
    return last;
  }

  private static long collected() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static long layer(int entries, int bytes) {
    return layer(entries, bytes, false);
  }

  private static long orderedLayer(int entries, int bytes) {
    return layer(entries, bytes, true);
  }

  private static long layer(int entries, int bytes, boolean ordered) {
    Layer layer = new Layer(new ArrayPool());
    byte[] value = new byte[bytes - Long.BYTES];
    for (long i = 0; i < entries; i++) {
      Bytes key = key(i);
      layer.put(ByteTable.hash(key), key, ordered, value, 0, value.length);
    }
    KEPT.add(layer);
    return layer.bytes();
  }

  private static long restored(int entries, int bytes) {
    RestoreBuffer buffer = new RestoreBuffer();
    Bytes value = Bytes.of(new byte[bytes - Long.BYTES]);
    for (long i = 0; i < entries; i++) {
      buffer.add(key(i), value);
    }
    KEPT.add(buffer);
    return buffer.bytes();
  }

  private static Bytes key(long number) {
    byte[] bytes = new byte[Long.BYTES];
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[i] = (byte) (number >>> 8 * i);
    }
    return Bytes.of(bytes);
  }

  private static long counts(int entries, int bytes) {
    CachedStore<Long, Long> store = open(TaskStates.COUNTS);
    for (long i = 0; i < entries; i++) {
      store.put(i, i + 1_000);
    }
    return claimed(state -> state.gauges().cachedBytes());
  }

  private static long texts(int entries, int bytes) {
    CachedStore<String, String> store = open(TaskStates.TEXTS);
    for (int i = 0; i < entries; i++) {
      store.put("key-%08d".formatted(i), "x".repeat(bytes));
    }
    return claimed(state -> state.gauges().cachedBytes());
  }

  private static long views(int entries, int bytes) {
    CachedStore<Bytes, Bytes> store = open(TaskStates.VIEWS);
    for (int i = 0; i < entries; i++) {
      store.put(key(i), Bytes.of(new byte[bytes]));
    }
    return claimed(state -> state.gauges().cachedBytes());
  }

  /// A cache whose share became smaller. Its keys have no values, so the disk takes nothing.
  private static long shrunk(int entries, int bytes) {
    CachedStore<Long, Long> store = open(TaskStates.COUNTS);
    for (long i = 0; i < 10L * entries; i++) {
      store.get(i);
    }
    TaskState state = (TaskState) KEPT.getLast();
    state.share(StateLimits.defaults().withCacheBytes(state.gauges().cachedBytes() / 10));
    for (long i = 0; i < entries; i++) {
      store.get(i);
    }
    return state.gauges().cachedBytes();
  }

  private static <K, V> CachedStore<K, V> open(StoreSpec<K, V> spec) {
    TaskState state =
        TaskStates.open(new FakeDisk(), StateLimits.defaults().withCacheBytes(1L << 30), spec);
    KEPT.add(state);
    return state.store(1);
  }

  private static long claimed(ToLongFunction<TaskState> claim) {
    return claim.applyAsLong((TaskState) KEPT.getLast());
  }
}
