package dev.millrace.internal.state;

import static dev.millrace.internal.state.TaskStates.TEXTS;
import static dev.millrace.internal.state.TaskStates.collect;
import static dev.millrace.internal.state.TaskStates.commit;
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
import java.util.ArrayList;
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
    for (String part :
        List.of(
            "key 30313233343536373839",
            "11 bytes",
            "'texts'",
            "2-5",
            "at most 10",
            "state.max-key")) {
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
    for (String part :
        List.of(
            "value of key 6b",
            "101 bytes",
            "'texts'",
            "2-5",
            "at most 100",
            "state.max-value-of")) {
      assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
    assertNull(texts.get("k"));
    assertEquals(List.of(), collect(state));
  }

  @Test
  void aKeyThatIsNullIsNotTheEmptyOne() {
    texts.put("", "of the empty key");
    assertThrows(NullPointerException.class, () -> texts.put(null, "v"));
    assertThrows(NullPointerException.class, () -> texts.get(null));
    assertThrows(NullPointerException.class, () -> texts.delete(null));
    assertEquals("of the empty key", texts.get(""));
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

  /// A store may take larger values than the others of its task, or only smaller ones.
  @Test
  void eachStoreMayHaveALimitOfItsOwn() {
    TaskState two =
        new TaskState(
            "2-5",
            new FakeDisk(),
            List.of(
                new NumberedStore(1, TEXTS, 1_000),
                new NumberedStore(
                    2, StoreSpec.keyValue("others", TestSerdes.STRING, TestSerdes.STRING))),
            LIMITS);
    CachedStore<String, String> larger = two.store(1);
    CachedStore<String, String> usual = two.store(2);
    larger.put("k", "x".repeat(1_000));
    assertThrows(EntryTooLargeException.class, () -> larger.put("k", "x".repeat(1_001)));
    usual.put("k", LARGEST);
    assertThrows(EntryTooLargeException.class, () -> usual.put("k", TOO_LARGE));
    assertEquals(
        List.of(new StoreSizes("texts", 1_000, 1_000), new StoreSizes("others", 100, 100)),
        two.sizes());
  }

  /// A value that would need far more memory than it may have does not get it.
  @Test
  void noMoreMemoryIsTakenThanAValueMayHave() {
    int[] written = new int[1];
    Serde<String> endless =
        new Serde<>() {
          @Override
          public String id() {
            return "endless";
          }

          @Override
          public void write(String value, BytesWriter out) {
            while (true) {
              out.writeLong(7);
              written[0] = out.length();
            }
          }

          @Override
          public String read(Bytes in) {
            return "";
          }
        };
    StateLimits limits = LIMITS.withLargest(10, 5_000);
    TaskState other =
        TaskStates.open(
            new FakeDisk(), limits, StoreSpec.keyValue("endless", TestSerdes.STRING, endless));
    CachedStore<String, String> store = other.store(1);
    String told = assertThrows(EntryTooLargeException.class, () -> store.put("k", "")).getMessage();
    assertTrue(told.contains("more than 5000 bytes"), told);
    assertTrue(written[0] <= 5_000, "written: " + written[0]);
  }

  @Test
  void anAggregateThatGrowsIsToldOfLongBeforeItIsRefusedAndOnlyAFewTimes() {
    List<String> told = new ArrayList<>();
    TaskState growing = TaskStates.open(new FakeDisk(), LIMITS.withLargest(10, 1_000), TEXTS);
    growing.watch(
        (store, key, bytes, most) -> told.add(store + " " + key + " " + bytes + "/" + most));
    CachedStore<String, String> store = growing.store(1);
    int refused = 0;
    for (int size = 1; refused == 0; size++) {
      try {
        store.put("k", "x".repeat(size));
        commit(growing);
      } catch (EntryTooLargeException _) {
        refused = size;
      }
    }
    assertEquals(1_001, refused);
    assertEquals(
        List.of("texts 6b 501/1000", "texts 6b 627/1000", "texts 6b 753/1000", "texts 6b 879/1000"),
        told);
  }
}
