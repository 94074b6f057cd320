package dev.millrace.internal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.memory.MemoryDisks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// How many bytes each store takes, compared with what was put.
final class StoreBytesTest {
  private static final int STORES = 4;

  private final Map<Integer, Long> put = new TreeMap<>();
  private int keys;

  @Test
  void eachStoreTakesWhatWasPut() {
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      put.clear();
      try (MemoryDisks disks = new MemoryDisks();
          TaskState state = new TaskState("t", disks.open("t"), specs(), StateLimits.defaults())) {
        for (int commit = 0; commit < 6; commit++) {
          putSome(random, state);
          TaskStates.commit(state);
          if (random.nextInt(3) == 0) {
            state.flush(new byte[] {1});
          }
          assertAsPut("seed %d, commit %d".formatted(seed, commit), state);
        }
        state.flush(new byte[] {2});
        assertAsPut("seed %d, all on disk".formatted(seed), state);
      }
    }
  }

  private static List<NumberedStore> specs() {
    List<NumberedStore> specs = new ArrayList<>();
    for (int number = 1; number <= STORES; number++) {
      specs.add(
          new NumberedStore(
              number, StoreSpec.keyValue("store" + number, TestSerdes.STRING, TestSerdes.STRING)));
    }
    return specs;
  }

  /// Each key is new, as what was put anew counts twice until it is flushed.
  private void putSome(Random random, TaskState state) {
    for (int number = 1; number <= STORES; number++) {
      CachedStore<String, String> store = state.store(number);
      int count = random.nextInt(3_000 * number);
      for (int i = 0; i < count; i++) {
        String key = "key-" + keys++;
        String value = "x".repeat(random.nextInt(40 * number));
        store.put(key, value);
        put.merge(
            number, (long) StoreTable.NUMBER_BYTES + key.length() + value.length(), Long::sum);
      }
    }
  }

  private void assertAsPut(String when, TaskState state) {
    Map<Integer, Long> found = state.bytes().all();
    for (int number = 1; number <= STORES; number++) {
      long expected = put.getOrDefault(number, 0L);
      long bytes = found.getOrDefault(number, 0L);
      assertTrue(
          Math.abs(bytes - expected) <= expected / 10,
          "%s: store %d has %d bytes, and %d were put".formatted(when, number, bytes, expected));
    }
  }

  @Test
  void aParkedStoreIsCountedAndADeletedOneIsEmpty() {
    try (MemoryDisks disks = new MemoryDisks();
        TaskState state =
            new TaskState(
                "t",
                disks.open("t"),
                List.of(specs().getFirst()),
                Set.of(7),
                StateLimits.defaults())) {
      assertEquals(Map.of(1, 0L), state.bytes().all());
      state
          .restoring()
          .restore(Bytes.of(new byte[] {0, 7, 1}), Bytes.of(new byte[] {1, 2, 3, 4, 5}));
      assertEquals(Map.of(1, 0L, 7, 8L), state.bytes().all());
      CachedStore<String, String> store = state.store(1);
      store.put("a", "b");
      TaskStates.commit(state);
      assertEquals(Map.of(1, 4L, 7, 8L), state.bytes().all());
      state.flush(new byte[] {1});
      assertEquals(Map.of(1, 4L, 7, 8L), state.bytes().all());
      store.delete("a");
      TaskStates.commit(state);
      state.flush(new byte[] {2});
      assertEquals(Map.of(1, 0L, 7, 8L), state.bytes().all());
    }
  }
}
