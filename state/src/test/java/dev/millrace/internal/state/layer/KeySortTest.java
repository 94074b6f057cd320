package dev.millrace.internal.state.layer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Beside sorts of the JDK.
class KeySortTest {
  private static final int SEEDS = 400;

  /// Keys in one array, with other bytes between them, some at its very end.
  private record Packed(byte[] array, int[] offsets, int[] lengths) implements KeyedEntries {
    static Packed of(List<byte[]> keys, Random random) {
      int[] offsets = new int[keys.size()];
      int[] lengths = new int[keys.size()];
      byte[] array = new byte[keys.stream().mapToInt(key -> key.length + 9).sum()];
      random.nextBytes(array);
      int at = 0;
      for (int i = 0; i < keys.size(); i++) {
        at += random.nextInt(10);
        byte[] key = keys.get(i);
        System.arraycopy(key, 0, array, at, key.length);
        offsets[i] = at;
        lengths[i] = key.length;
        at += key.length;
      }
      return new Packed(Arrays.copyOf(array, at), offsets, lengths);
    }

    @Override
    public byte[] keyArray(int entry) {
      return array;
    }

    @Override
    public int keyOffset(int entry) {
      return offsets[entry];
    }

    @Override
    public int keyLength(int entry) {
      return lengths[entry];
    }
  }

  private static List<byte[]> keys(Random random) {
    int count = random.nextInt(random.nextBoolean() ? 60 : 3_000);
    int prefix = random.nextInt(12);
    int kinds = 1 + random.nextInt(5);
    List<Supplier<byte[]>> shapes =
        List.of(
            // Numbers of the same length, few of them different.
            () -> number(prefix, 8, random.nextInt(1 + count / 2)),
            () -> number(prefix, 4, random.nextInt()),
            // Texts of all lengths, also with zeros at their ends and signs that flip.
            () -> bytes(random, 1 + random.nextInt(4), 3),
            () -> bytes(random, 1 + random.nextInt(40), 2),
            () -> bytes(random, 1 + random.nextInt(20), 256));
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(shapes.get(random.nextInt(kinds)).get());
    }
    Collections.shuffle(keys, random);
    return keys;
  }

  private static byte[] number(int prefix, int length, long number) {
    byte[] key = new byte[prefix + length];
    for (int i = 0; i < length; i++) {
      key[key.length - 1 - i] = (byte) (number >>> i * Byte.SIZE);
    }
    return key;
  }

  private static byte[] bytes(Random random, int length, int values) {
    byte[] key = new byte[length];
    for (int i = 0; i < length; i++) {
      key[i] = (byte) (random.nextInt(values) - (values == 3 ? 1 : 0));
    }
    return key;
  }

  @Test
  void keysComeInUnsignedOrderAndEqualOnesInTheirs() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      List<byte[]> keys = keys(random);
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        numbers.add(i);
      }
      Collections.shuffle(numbers, random);
      int[] entries = numbers.stream().mapToInt(i -> i).toArray();
      numbers.sort(Comparator.comparing(keys::get, Arrays::compareUnsigned));
      KeySort.sort(Packed.of(keys, random), entries);
      assertArrayEquals(
          numbers.stream().mapToInt(i -> i).toArray(), entries, "seed " + seed + " is wrong");
    }
  }

  @Test
  void ofEqualKeysTheLastIsLeft() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      List<byte[]> keys = keys(random);
      TreeMap<byte[], Integer> last = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < keys.size(); i++) {
        last.put(keys.get(i), i);
      }
      assertArrayEquals(
          last.values().stream().mapToInt(i -> i).toArray(),
          KeySort.lastOfEach(Packed.of(keys, random), keys.size()),
          "seed " + seed + " is wrong");
    }
  }

  @Test
  void nothingAndOneAreInOrder() {
    Packed none = Packed.of(List.of(), new Random(1));
    assertEquals(0, KeySort.lastOfEach(none, 0).length);
    Packed one = Packed.of(List.of(new byte[] {7}), new Random(1));
    assertArrayEquals(new int[] {0}, KeySort.lastOfEach(one, 1));
  }
}
