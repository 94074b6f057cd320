package dev.millrace.internal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What is restored in bulk is what is restored one by one: the last value of each key.
class BulkRestoreTest {
  private static final byte[] POSITION = {1};
  private static final long MANY = 1_000;

  private final FakeDisk disk = new FakeDisk();
  private final TaskState state =
      new TaskState(
          "0-0",
          disk,
          List.of(
              new NumberedStore(
                  1, StoreSpec.keyValue("store", Serdes.string(), Serdes.string()).withRanges())),
          StateLimits.defaults().withCommittedShareBytes(20_000));

  private void restore(String key, String value) {
    Bytes encoded = key(key);
    state
        .restoring()
        .restore(
            encoded, value.isEmpty() ? null : Bytes.of(value.getBytes(StandardCharsets.UTF_8)));
  }

  private static Bytes key(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    byte[] full = new byte[bytes.length + 2];
    full[1] = 1;
    System.arraycopy(bytes, 0, full, 2, bytes.length);
    return Bytes.of(full);
  }

  private Map<String, String> read() {
    Map<String, String> found = new TreeMap<>();
    CachedStore<String, String> store = state.store(1);
    store.range(
        null,
        null,
        (key, value) -> {
          found.put(key, value);
          return true;
        });
    found.forEach((key, value) -> assertEquals(value, store.get(key)));
    return found;
  }

  @Test
  void theLastOneWinsInRunsAndInWhatIsLeft() {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      Map<String, String> expected = new TreeMap<>(read());
      state.restoring().beginBulk(MANY);
      int entries = random.nextInt(2_000);
      int keys = 1 + random.nextInt(random.nextBoolean() ? 5 : 3_000);
      for (int i = 0; i < entries; i++) {
        // Keys of different lengths, some the beginnings of others.
        String key = "k".repeat(random.nextInt(3)) + random.nextInt(keys);
        String value = random.nextInt(4) == 0 ? "" : "v" + seed + "-" + i;
        restore(key, value);
        if (value.isEmpty()) {
          expected.remove(key);
        } else {
          expected.put(key, value);
        }
        if (state.wantsFlush()) {
          state.flush(POSITION);
        }
      }
      if (random.nextBoolean()) {
        state.flush(POSITION);
      }
      state.restoring().endBulk();
      assertEquals(expected, read(), "seed " + seed);
      state.flush(POSITION);
      assertEquals(expected, read(), "seed " + seed + " on disk");
    }
    assertTrue(state.gauges().flushes() > 40);
  }

  @Test
  void aRollBackLosesNothingOfIt() {
    state.restoring().beginBulk(MANY);
    restore("a", "1");
    restore("a", "2");
    state.rollBack();
    restore("b", "3");
    state.restoring().endBulk();
    assertEquals(Map.of("a", "2", "b", "3"), read());
  }

  @Test
  void whatIsCommittedAlreadyIsNotOvertaken() {
    restore("a", "1");
    state.restoring().beginBulk(MANY);
    restore("a", "2");
    state.flush(POSITION);
    state.restoring().endBulk();
    assertEquals(Map.of("a", "2"), read());
  }

  @Test
  void nothingIsCollectedMeanwhile() {
    state.restoring().beginBulk(MANY);
    assertThrows(IllegalStateException.class, () -> state.collect((_, _) -> {}));
  }

  @Test
  void whatMemoryHoldsIsRestoredOneByOne() {
    state.restoring().beginBulk(10);
    restore("a", "1");
    assertEquals(Map.of("a", "1"), read());
  }

  /// It would tell a position that includes what is only gathered.
  @Test
  void whatIsGatheredIsNotFlushedInTheBackground() {
    state.restoring().beginBulk(MANY);
    assertThrows(IllegalStateException.class, () -> state.beginFlush(POSITION));
  }
}
