package dev.millrace.internal.state;

import static dev.millrace.internal.state.TaskStates.TEXTS;
import static dev.millrace.internal.state.TaskStates.collect;
import static dev.millrace.internal.state.TaskStates.commit;
import static dev.millrace.internal.state.TaskStates.commitAndFlush;
import static dev.millrace.internal.state.TaskStates.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Reading in order through all layers.
final class RangeTest {
  private final FakeDisk disk = new FakeDisk();
  private final TaskState state = TaskStates.open(disk, TEXTS.withRanges());
  private final CachedStore<String, String> texts = state.store(1);

  /// Puts a to e into all layers: what is deleted in one layer stands in all below it.
  private void fillLayers() {
    for (String key : List.of("a", "b", "c", "d", "e")) {
      texts.put(key, "disk");
    }
    commitAndFlush(state);
    texts.put("b", "committed");
    texts.put("c", "committed");
    texts.delete("e");
    commit(state);
    texts.put("c", "pending");
    texts.put("d", "pending");
    texts.delete("b");
    collect(state);
    texts.put("d", "live");
    texts.put("bb", "live");
    texts.delete("c");
  }

  @Test
  void theUppermostLayerWinsAndDeletionsHide() {
    fillLayers();
    assertEquals(List.of("a=disk", "bb=live", "d=live"), range(texts, null, null));
    state.rollBack();
    assertEquals(
        List.of("a=disk", "b=committed", "c=committed", "d=disk"), range(texts, null, null));
  }

  @Test
  void theStartIsIncludedTheEndIsNot() {
    fillLayers();
    assertEquals(List.of("bb=live"), range(texts, "bb", "d"));
    assertEquals(List.of("bb=live", "d=live"), range(texts, "b", "e"));
    assertEquals(List.of("a=disk"), range(texts, null, "bb"));
    assertEquals(List.of("d=live"), range(texts, "c", null));
    assertEquals(List.of(), range(texts, "c", "c"));
    assertEquals(List.of(), range(texts, "d", "a"));
  }

  @Test
  void theVisitorEndsTheRange() {
    fillLayers();
    List<String> seen = new ArrayList<>();
    texts.range(
        null,
        null,
        (key, value) -> {
          seen.add(key);
          return seen.size() < 2;
        });
    assertEquals(List.of("a", "bb"), seen);
    assertEquals(0, disk.openCursors);
  }

  @Test
  void theVisitorMayReadAndOpenRanges() {
    fillLayers();
    List<String> seen = new ArrayList<>();
    texts.range(
        "a",
        null,
        (key, value) -> {
          seen.add(key + texts.get(key) + range(texts, key, "d"));
          return true;
        });
    assertEquals(List.of("adisk[a=disk, bb=live]", "bblive[bb=live]", "dlive[]"), seen);
  }

  @Test
  void theVisitorMustNotWrite() {
    fillLayers();
    List<Runnable> writes =
        List.of(
            () -> texts.put("a", "x"),
            () -> texts.delete("a"),
            () -> collect(state),
            state::acknowledge,
            state::rollBack,
            () -> state.flush(new byte[] {1}));
    for (Runnable write : writes) {
      IllegalStateException refused =
          assertThrows(
              IllegalStateException.class,
              () ->
                  texts.range(
                      null,
                      null,
                      (key, value) -> {
                        write.run();
                        return true;
                      }));
      assertTrue(refused.getMessage().contains("visitor"), refused.getMessage());
      assertEquals(0, disk.openCursors, "a failed visitor closes the cursor");
    }
    assertEquals(List.of("a=disk", "bb=live", "d=live"), range(texts, null, null));
    texts.put("a", "x");
    assertEquals("x", texts.get("a"));
  }

  @Test
  void aStoreWithoutRangesSaysHowToGetThem() {
    StoreSpec<String, String> plain = TEXTS;
    TaskState other = TaskStates.open(new FakeDisk(), plain);
    CachedStore<String, String> store = other.store(1);
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> range(store, null, null));
    assertTrue(refused.getMessage().contains("withRanges"), refused.getMessage());
    assertTrue(refused.getMessage().contains("'texts'"), refused.getMessage());
  }

  @Test
  void manySmallRangesBetweenPutsSeeEveryPut() {
    for (int i = 0; i < 2_000; i++) {
      String key = "%04d".formatted(i * 7919 % 2_000);
      texts.put(key, key);
      assertEquals(List.of(key + "=" + key), range(texts, key, key + "x"));
      if (i % 97 == 0) {
        commit(state);
      }
    }
    assertEquals(2_000, range(texts, null, null).size());
  }
}
