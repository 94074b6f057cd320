package dev.millrace.internal.state.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The table against a map of the platform, also when hashes collide.
final class ByteTableTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 0x7, 0xF000_0003, -1})
  void entriesAreFoundAndForgottenLikeInAMap(int hashMask) {
    long seed = 77L + hashMask;
    Random random = new Random(seed);
    KeyTable table = new KeyTable();
    Map<Bytes, Integer> expected = new HashMap<>();
    int operations = hashMask == -1 ? 200_000 : 3_000;
    int keys = hashMask == -1 ? 5_000 : 60;
    for (int i = 0; i < operations; i++) {
      Bytes key = Bytes.ofUtf8("key " + random.nextInt(keys));
      int hash = ByteTable.hash(key) & hashMask;
      int entry = table.find(hash, key);
      assertEquals(expected.getOrDefault(key, ByteTable.NONE), entry, () -> key + ", seed " + seed);
      if (entry == ByteTable.NONE) {
        expected.put(key, table.add(hash, key));
      } else if (random.nextInt(3) > 0) {
        table.unlink(hash, entry);
        expected.remove(key);
      }
      assertEquals(expected.size(), table.count());
    }
    assertTrue(expected.size() > 10);
    table.unlinkAll();
    assertEquals(0, table.count());
    expected
        .keySet()
        .forEach(
            key -> assertEquals(ByteTable.NONE, table.find(ByteTable.hash(key) & hashMask, key)));
  }

  @Test
  void hashesDependOnContentOnlyAndSpread() {
    byte[] padded = new byte[64];
    Set<Integer> low = new HashSet<>();
    Set<Integer> hashes = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      byte[] key = ("user-" + i).getBytes(StandardCharsets.UTF_8);
      System.arraycopy(key, 0, padded, 7, key.length);
      int hash = ByteTable.hash(Bytes.of(key));
      assertEquals(hash, ByteTable.hash(padded, 7, key.length));
      hashes.add(hash);
      low.add(hash & 0x3FFF);
    }
    assertTrue(hashes.size() > 9_990, () -> hashes.size() + " different hashes");
    // 10,000 balls in 16,384 bins leave about 7,480 of them not empty.
    assertTrue(low.size() > 7_200, () -> low.size() + " different low bits");
  }

  @Test
  void zerosAtTheEndMakeADifferentHash() {
    Set<Integer> hashes = new HashSet<>();
    for (int length = 0; length < 64; length++) {
      hashes.add(ByteTable.hash(new byte[64], 0, length));
    }
    assertEquals(64, hashes.size());
  }

  @Test
  void aKeyIsFoundByItsTwoParts() {
    Random random = new Random(7);
    KeyTable table = new KeyTable();
    byte[] array = new byte[100];
    for (int i = 0; i < 20_000; i++) {
      random.nextBytes(array);
      // Few enough bytes differ that keys come again.
      Arrays.fill(array, 10, 99, (byte) 1);
      int offset = 8 + random.nextInt(4);
      int length = 8 + random.nextInt(50);
      int prefix = random.nextInt(3) * 0x7F81;
      Bytes key = new Bytes().set(array, offset, length);
      byte[] whole = new byte[length + 2];
      whole[0] = (byte) (prefix >> 8);
      whole[1] = (byte) prefix;
      System.arraycopy(array, offset, whole, 2, length);
      int hash = ByteTable.hash(Bytes.of(whole));
      assertEquals(hash, ByteTable.hash(prefix, key), () -> "length " + length);
      int entry = table.find(hash, Bytes.of(whole));
      assertEquals(entry, table.find(hash, prefix, key));
      if (entry == ByteTable.NONE) {
        entry = table.add(hash, Bytes.of(whole));
        assertEquals(entry, table.find(hash, prefix, key));
      }
      // One with the same hash is told from it by any of its bytes.
      int at = random.nextInt(length);
      array[offset + at] ^= 4;
      int other = table.find(hash, prefix, key);
      assertEquals(ByteTable.NONE, other, () -> "byte " + at + " of " + length);
      array[offset + at] ^= 4;
      assertEquals(ByteTable.NONE, table.find(hash, prefix ^ 0x100, key));
      assertEquals(ByteTable.NONE, table.find(hash, prefix ^ 1, key));
    }
    assertTrue(table.count() > 1_000 && table.count() < 19_000, () -> table.count() + " keys");
  }

  /// Entries are numbered in the order in which they come.
  private static final class KeyTable extends ByteTable {
    private final List<byte[]> keys = new ArrayList<>();

    int add(int hash, Bytes key) {
      keys.add(key.toByteArray());
      link(hash, keys.size() - 1);
      return keys.size() - 1;
    }

    @Override
    public byte[] keyArray(int entry) {
      return keys.get(entry);
    }

    @Override
    public int keyOffset(int entry) {
      return 0;
    }

    @Override
    public int keyLength(int entry) {
      return keys.get(entry).length;
    }
  }
}
