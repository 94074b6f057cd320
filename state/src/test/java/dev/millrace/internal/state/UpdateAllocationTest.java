package dev.millrace.internal.state;

import static dev.millrace.internal.state.TaskStates.VIEWS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/// The path of a count allocates the new count and nothing else.
final class UpdateAllocationTest {
  private static final int KEYS = 100;
  private static final int UPDATES = 200_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void anUpdateOfAnExistingEntryAllocatesOnlyTheObject() {
    StoreSpec<Bytes, Long> spec = StoreSpec.keyValue("counts", TestSerdes.VIEW, TestSerdes.LONG);
    TaskState state = TaskStates.open(new FakeDisk(), spec.withRanges());
    CachedStore<Bytes, Long> counts = state.store(1);
    Bytes[] keys = new Bytes[KEYS];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = Bytes.ofUtf8("a key of some length " + i);
      counts.put(keys[i], 1_000_000L);
    }
    count(counts, keys);
    long before = threads.getCurrentThreadAllocatedBytes();
    count(counts, keys);
    double bytes = (threads.getCurrentThreadAllocatedBytes() - before) / (double) UPDATES;
    // A Long has 24.
    assertTrue(bytes < 28, () -> bytes + " bytes an update");
    assertEquals(1_000_000L + 2 * UPDATES / KEYS, counts.get(keys[3]));
  }

  @Test
  void whatIsFoundAndReplacedAllocatesOnlyTheObject() {
    StoreSpec<Bytes, Long> spec = StoreSpec.keyValue("counts", TestSerdes.VIEW, TestSerdes.LONG);
    TaskState state = TaskStates.open(new FakeDisk(), spec);
    CachedStore<Bytes, Long> counts = state.store(1);
    Bytes key = Bytes.ofUtf8("a key of some length");
    counts.put(key, 1_000_000L);
    replace(counts, key);
    long before = threads.getCurrentThreadAllocatedBytes();
    replace(counts, key);
    double bytes = (threads.getCurrentThreadAllocatedBytes() - before) / (double) UPDATES;
    // A Long has 24.
    assertTrue(bytes < 28, () -> bytes + " bytes an update");
    assertEquals(1_000_000L + 2 * UPDATES, counts.get(key));
  }

  private static void replace(CachedStore<Bytes, Long> counts, Bytes key) {
    for (int i = 0; i < UPDATES; i++) {
      counts.replace(key, counts.find(key) + 1);
    }
  }

  @Test
  void addingToANumberAllocatesNothing() {
    StoreSpec<Bytes, Long> spec = StoreSpec.keyValue("sums", TestSerdes.VIEW, Serdes.longs());
    TaskState state = TaskStates.open(new FakeDisk(), spec);
    CachedStore<Bytes, Long> sums = state.store(1);
    Bytes key = Bytes.ofUtf8("some key");
    add(sums, key);
    long before = threads.getCurrentThreadAllocatedBytes();
    add(sums, key);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < UPDATES, () -> bytes + " bytes in " + UPDATES + " additions");
    assertEquals(2 * 3L * UPDATES, sums.get(key));
  }

  private static void add(CachedStore<Bytes, Long> sums, Bytes key) {
    for (int i = 0; i < UPDATES; i++) {
      sums.add(key, 3);
    }
  }

  @Test
  void aHitAllocatesNothing() {
    TaskState state = TaskStates.open(new FakeDisk(), VIEWS);
    CachedStore<Bytes, Bytes> views = state.store(1);
    Bytes key = Bytes.ofUtf8("some key");
    views.put(key, key);
    TaskStates.commit(state);
    long found = hits(views, key);
    long before = threads.getCurrentThreadAllocatedBytes();
    found += hits(views, key);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertEquals(2 * UPDATES, found);
    assertTrue(bytes < UPDATES, () -> bytes + " bytes in " + UPDATES + " gets");
  }

  private static void count(CachedStore<Bytes, Long> counts, Bytes[] keys) {
    for (int i = 0; i < UPDATES; i++) {
      Bytes key = keys[i % KEYS];
      counts.put(key, counts.get(key) + 1);
    }
  }

  private static long hits(CachedStore<Bytes, Bytes> views, Bytes key) {
    long found = 0;
    for (int i = 0; i < UPDATES; i++) {
      found += views.get(key) == null ? 0 : 1;
    }
    return found;
  }
}
