package dev.millrace.internal.state.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Encoded entries: their order and their memory.
final class LayerTest {
  private final ArrayPool chunks = new ArrayPool();
  private final Layer layer = new Layer(chunks);

  private Disk.SortedRun sortedRun() {
    return new LayerPair(layer, new Layer(chunks)).sortedRun();
  }

  private void put(Bytes key, byte[] value) {
    layer.put(ByteTable.hash(key), key, true, value, 0, value.length);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void theRunIsInTheUnsignedOrderOfTheKeys(long seed) {
    Random random = new Random(seed);
    TreeSet<Bytes> expected = new TreeSet<>();
    // Long common prefixes, keys that are prefixes of others, zeros at the end, high bits.
    int alphabet = seed % 2 == 0 ? 3 : 256;
    int longest = seed % 3 == 0 ? 4 : 14;
    for (int i = 0; i < 5_000; i++) {
      byte[] key = new byte[random.nextInt(longest)];
      for (int j = 0; j < key.length; j++) {
        key[j] = (byte) (random.nextInt(alphabet) * (seed % 4 < 2 ? 1 : 255));
      }
      byte[] prefixed = new byte[12 + key.length];
      Arrays.fill(prefixed, 0, 12, (byte) (seed == 5 ? random.nextInt(3) : 0xAB));
      System.arraycopy(key, 0, prefixed, 12, key.length);
      Bytes full = Bytes.of(prefixed);
      put(full, key);
      expected.add(full);
    }
    List<Bytes> found = new ArrayList<>();
    Disk.SortedRun run = sortedRun();
    while (run.next()) {
      found.add(run.key().copy());
    }
    assertTrue(expected.size() > 30);
    assertEquals(new ArrayList<>(expected), found);
  }

  @Test
  void keysThatDifferOnlyInZerosAtTheEndAreSortedByLength() {
    for (int i = 0; i < 200; i++) {
      put(Bytes.of(new byte[i * 77 % 200]), new byte[0]);
    }
    Disk.SortedRun run = sortedRun();
    for (int length = 0; length < 200; length++) {
      assertTrue(run.next());
      assertEquals(length, run.key().length());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void ofTwoLayersTheNewerWins(long seed) {
    Random random = new Random(seed);
    Layer newer = new Layer(chunks);
    TreeMap<Bytes, @Nullable Bytes> expected = new TreeMap<>();
    for (Layer filled : List.of(layer, newer)) {
      for (int i = random.nextInt(3_000); i > 0; i--) {
        Bytes key = Bytes.ofUtf8("key " + random.nextInt(2_000));
        int hash = ByteTable.hash(key);
        if (random.nextInt(4) == 0) {
          filled.delete(hash, key, true);
          expected.put(key, null);
        } else {
          byte[] value = {(byte) i, (byte) (i >> 8)};
          filled.put(hash, key, true, value, 0, value.length);
          expected.put(key, Bytes.of(value));
        }
      }
    }
    TreeMap<Bytes, @Nullable Bytes> found = new TreeMap<>();
    Disk.SortedRun run = new LayerPair(layer, newer).sortedRun();
    while (run.next()) {
      Bytes value = run.value();
      assertNull(found.put(run.key().copy(), value == null ? null : value.copy()));
    }
    assertEquals(expected, found);
  }

  @Test
  void valuesOfAnySizeAreKept() {
    long seed = 5;
    Random random = new Random(seed);
    TreeMap<Bytes, Bytes> expected = new TreeMap<>();
    for (int i = 0; i < 3_000; i++) {
      Bytes key = Bytes.ofUtf8("key " + random.nextInt(300));
      byte[] value = new byte[random.nextInt(random.nextInt(100) == 0 ? 300_000 : 50)];
      random.nextBytes(value);
      put(key, value);
      expected.put(key, Bytes.of(value));
    }
    Bytes view = new Bytes();
    expected.forEach((key, value) ->
        assertEquals(
            value, layer.value(layer.find(ByteTable.hash(key), key), view), () -> "seed " + seed));
  }

  @Test
  void whatGrowingValuesLeaveBehindStaysInProportion() {
    Bytes key = Bytes.ofUtf8("k");
    for (int size = 1; size <= 100_000; size += 10) {
      put(key, new byte[size]);
    }
    assertTrue(layer.bytes() < 600_000, () -> layer.bytes() + " bytes");
  }

  @Test
  void aValueOfTheSameSizeOverwritesTheLast() {
    Bytes key = Bytes.ofUtf8("k");
    put(key, new byte[40]);
    long bytes = layer.bytes();
    for (int i = 0; i < 1_000; i++) {
      put(key, new byte[i % 41]);
      layer.delete(ByteTable.hash(key), key, true);
    }
    assertEquals(bytes, layer.bytes());
  }

  @Test
  void anEmptiedLayerIsEmptyAndCanBeFilledAgain() {
    for (int round = 0; round < 5; round++) {
      int entries = round % 2 == 0 ? 10_000 : 3;
      for (int i = 0; i < entries; i++) {
        put(Bytes.ofUtf8("key " + i), ("value " + i + round).getBytes(StandardCharsets.UTF_8));
      }
      assertEquals(entries, layer.count());
      Bytes last = Bytes.ofUtf8("key " + (entries - 1));
      Bytes value = layer.value(layer.find(ByteTable.hash(last), last), new Bytes());
      assertEquals("value " + (entries - 1) + round, value.toUtf8());
      layer.clear();
      assertEquals(0, layer.count());
      assertEquals(0, layer.bytes());
      assertEquals(ByteTable.NONE, layer.find(ByteTable.hash(last), last));
      List<SortedEntries> runs = new ArrayList<>();
      layer.addRange(runs, 1, new Bytes(), Bytes.of(new byte[] {-1}));
      assertEquals(List.of(), runs);
    }
  }
}
