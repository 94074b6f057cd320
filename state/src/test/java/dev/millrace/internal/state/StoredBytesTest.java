package dev.millrace.internal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredBytesTest {
  private static final int ENTRIES = 1_000;

  /// Sizes of this disk are those of its values alone.
  private static FakeDisk disk(int valueBytes) {
    FakeDisk disk = new FakeDisk();
    TaskState state =
        new TaskState(
            "0-0",
            disk,
            List.of(
                new NumberedStore(
                    1, StoreSpec.keyValue("s", Serdes.bytes(), Serdes.bytes()), 0, false)),
            StateLimits.defaults());
    CachedStore<byte[], byte[]> store = state.store(1);
    for (int i = 0; i < ENTRIES; i++) {
      store.put(ByteBuffer.allocate(4).putInt(i).array(), new byte[valueBytes]);
    }
    TaskStates.commitAndFlush(state);
    return disk;
  }

  private static Bytes key(int number) {
    return Bytes.of(ByteBuffer.allocate(6).putShort((short) 1).putInt(number).array());
  }

  /// What is read next counts as it lay on the disk before: here a quarter.
  @Test
  void bytesCountAsDenseAsTheLastRangeWasOnTheDisk() {
    FakeDisk disk = disk(1_500);
    StoredBytes stored = new StoredBytes();
    stored.begin(1_000_000);
    stored.from(key(0));
    stored.read(6_000_000);
    assertTrue(stored.areEnough());
    assertEquals(6_000_000, stored.ofStep());
    stored.measure(disk, key(ENTRIES));
    stored.begin(1_000_000);
    stored.from(key(0));
    stored.read(3_999_996);
    assertEquals(999_999, stored.ofStep());
    assertFalse(stored.areEnough());
    stored.read(4);
    assertTrue(stored.areEnough());
  }

  @Test
  void aShortRangeOrOneThatWasLeftIsNotMeasured() {
    FakeDisk disk = disk(100);
    StoredBytes stored = new StoredBytes();
    stored.begin(10);
    stored.from(key(0));
    stored.read(1_000_000);
    stored.measure(disk, key(ENTRIES));
    stored.read(5_000_000);
    assertEquals(6_000_000, stored.ofStep());
    stored.restart();
    stored.measure(disk, key(ENTRIES));
    stored.begin(10);
    stored.read(100);
    assertEquals(100, stored.ofStep());
  }
}
