package dev.millrace.state;

import static dev.millrace.state.TaskStates.TEXTS;
import static dev.millrace.state.TaskStates.collect;
import static dev.millrace.state.TaskStates.commit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Keys and values that must not get into the changelog.
final class LimitsTest {
  private static final StateLimits LIMITS = StateLimits.defaults().withLargest(10, 100);
  private static final String LARGEST = "x".repeat(100);
  private static final String TOO_LARGE = "x".repeat(101);

  private final TaskState state = TaskStates.open(new FakeDisk(), LIMITS, TEXTS);
  private final CachedStore<String, String> texts = state.store(1);

  @Test
  void theLargestKeyAndValueAreTaken() {
    texts.put("0123456789", LARGEST);
    commit(state);
    assertEquals(LARGEST, texts.get("0123456789"));
  }

  @Test
  void aLargerKeyIsRefusedAtOnce() {
    EntryTooLargeException refused =
        assertThrows(EntryTooLargeException.class, () -> texts.put("0123456789a", "v"));
    for (String part : List.of("key", "11 bytes", "'texts'", "2-5", "at most 10")) {
      assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
    assertThrows(EntryTooLargeException.class, () -> texts.delete("0123456789a"));
    assertNull(texts.get("0123456789a"));
    assertEquals(List.of(), collect(state));
  }

  @Test
  void aLargerFirstValueIsRefusedAtOnceAndChangesNothing() {
    EntryTooLargeException refused =
        assertThrows(EntryTooLargeException.class, () -> texts.put("k", TOO_LARGE));
    for (String part : List.of("value", "101 bytes", "'texts'", "2-5", "at most 100")) {
      assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
    assertNull(texts.get("k"));
    assertEquals(List.of(), collect(state));
  }

  @Test
  void afterALargeValueEveryValueIsMeasured() {
    putSmallOnes();
    texts.put("k", "x".repeat(26));
    commit(state);
    assertThrows(EntryTooLargeException.class, () -> texts.put("k", TOO_LARGE));
    assertEquals("x".repeat(26), texts.get("k"));
  }

  @Test
  void aValueThatSlippedThroughIsFoundAtItsPutTheSecondTime() {
    putSmallOnes();
    commit(state);
    texts.put("a", "fine");
    texts.put("k", TOO_LARGE);
    texts.put("b", "fine");
    RefusedAtCommitException refused =
        assertThrows(RefusedAtCommitException.class, () -> collect(state));
    assertInstanceOf(EntryTooLargeException.class, refused.getCause());

    state.rollBack();
    texts.put("a", "fine");
    assertThrows(EntryTooLargeException.class, () -> texts.put("k", TOO_LARGE));
    texts.put("b", "fine");
    assertEquals(List.of("000161=66696e65", "000162=66696e65"), collect(state));
  }

  @Test
  void aTaskMadeAnewCanMeasureEveryValue() {
    TaskState anew = TaskStates.open(new FakeDisk(), LIMITS.withEveryPutMeasured(), TEXTS);
    CachedStore<String, String> store = anew.store(1);
    for (int i = 0; i < 200; i++) {
      store.put("small", "");
      assertThrows(EntryTooLargeException.class, () -> store.put("k", TOO_LARGE));
    }
  }

  @Test
  void bytesAreAlwaysMeasured() {
    TaskState views = TaskStates.open(new FakeDisk(), LIMITS, TaskStates.VIEWS);
    CachedStore<Bytes, Bytes> store = views.store(1);
    for (int i = 0; i < 200; i++) {
      store.put(Bytes.ofUtf8("k"), Bytes.ofUtf8("v"));
      assertThrows(
          EntryTooLargeException.class,
          () -> store.put(Bytes.ofUtf8("k"), Bytes.ofUtf8(TOO_LARGE)));
    }
  }

  @Test
  void aValueItsSerdeCannotWriteIsFoundAtItsPutTheSecondTime() {
    Serde<String> picky =
        new Serde<>() {
          @Override
          public String id() {
            return "picky";
          }

          @Override
          public void write(String value, BytesWriter out) {
            if (value.equals("bad")) {
              throw new SerdeException("No value is bad.");
            }
            TestSerdes.STRING.write(value, out);
          }

          @Override
          public String read(Bytes in) {
            return TestSerdes.STRING.read(in);
          }
        };
    TaskState other =
        TaskStates.open(
            new FakeDisk(), LIMITS, StoreSpec.keyValue("picky", TestSerdes.STRING, picky));
    CachedStore<String, String> store = other.store(1);
    for (int i = 0; i < 20; i++) {
      store.put("small", "");
    }
    store.put("k", "bad");
    RefusedAtCommitException refused =
        assertThrows(RefusedAtCommitException.class, () -> collect(other));
    for (String part : List.of("key 6b", "'picky'", "2-5", "No value is bad.")) {
      assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
    other.rollBack();
    assertThrows(SerdeException.class, () -> store.put("k", "bad"));
    store.put("k", "good");
    assertEquals(List.of("00016b=676f6f64"), collect(other));
  }

  @Test
  void aPutBehindTheBarrierIsRefusedForWhatLiesBeforeIt() {
    putSmallOnes();
    commit(state);
    texts.put("k", TOO_LARGE);
    state.freeze();
    assertThrows(RefusedAtCommitException.class, () -> texts.put("k", "fine"));
    assertThrows(RefusedAtCommitException.class, () -> texts.delete("k"));
    assertThrows(RefusedAtCommitException.class, () -> state.collect(10, (_, _) -> {}));
    state.rollBack();
    assertThrows(EntryTooLargeException.class, () -> texts.put("k", TOO_LARGE));
  }

  /// Enough puts for the next one not to be measured.
  private void putSmallOnes() {
    for (int i = 0; i < 20; i++) {
      texts.put("small", "");
    }
  }
}
