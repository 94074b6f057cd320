package dev.millrace.testkit;

import dev.millrace.api.serde.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Keys that tests draw from: keys of all lengths, including the empty key; prefixes of each other;
/// keys that differ in zeros at their ends or after their eighth byte; keys with bytes above 0x7F;
/// keys of eight bytes, like numbers; and keys with equal hashes.
///
/// Texts have the same order as their bytes in UTF-8, and none contains a blank.
public final class KeyPool {
  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "a\0",
          "a\0\0",
          "aa",
          "ab",
          "b",
          "\0",
          "\0\0",
          // Numbers in eight bytes, big-endian.
          "\0\0\0\0\0\0\0\0",
          "\0\0\0\0\0\0\0\u0001",
          "\0\0\0\0\0\0\u0001\0",
          "\u007f\u007f\u007f\u007f\u007f\u007f\u007f\u007f",
          // Alike for eight bytes and longer.
          "account",
          "account-",
          "account-1",
          "account-10",
          "account-1000000000000",
          "account-1000000000001",
          "account-1000000000001\0",
          "account-10000000000010000000000000000000000000000000000000000000",
          // In two, three and four bytes of UTF-8.
          "\u0080",
          "\u00ff",
          "\u00ff\u00ff",
          "\u00e9t\u00e9",
          "\u65e5\u672c",
          "\ud83d\ude00",
          // Alike to the hash of texts and bytes in Java.
          "Aa",
          "BB",
          // Alike to the partitioner of Kafka's producer, murmur2.
          "user-687486",
          "user-1004232",
          "user-682928",
          "user-1018339");

  private static final List<String> PLAIN =
      IntStream.range(0, TEXTS.size()).mapToObj(i -> "k" + i).toList();

  private final List<String> keys;

  private KeyPool(List<String> keys) {
    this.keys = keys;
  }

  /// Returns a pool of all keys.
  public static KeyPool all() {
    return new KeyPool(TEXTS);
  }

  /// Returns a pool of distinct keys that the seed draws; sometimes all of one form.
  ///
  /// @param count the number of keys, at most the size of [#all]
  public static KeyPool drawn(Seed seed, int count) {
    if (seed.chance(0.2)) {
      return new KeyPool(PLAIN.subList(0, count));
    }
    List<String> shuffled = new ArrayList<>(TEXTS);
    seed.shuffle(shuffled);
    return new KeyPool(List.copyOf(shuffled.subList(0, count)));
  }

  public int size() {
    return keys.size();
  }

  /// Returns a key by its number modulo [#size].
  public String text(long number) {
    return keys.get(Math.floorMod(number, keys.size()));
  }

  /// Returns a key by its number modulo [#size], as bytes.
  public Bytes bytes(long number) {
    return Bytes.ofUtf8(text(number));
  }

  /// Draws a key.
  public String any(Seed seed) {
    return text(seed.below(keys.size()));
  }

  /// Draws bytes that need not be a text: up to eight bytes with few values, or twenty bytes and
  /// more.
  public static Bytes anyBytes(Random random) {
    int form = random.nextInt(8);
    if (form == 0) {
      return Bytes.of(TEXTS.get(random.nextInt(TEXTS.size())).getBytes(StandardCharsets.UTF_8));
    }
    byte[] parts = {0, 1, 'a', 'b', 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF};
    byte[] key = new byte[form == 1 ? 8 : form == 2 ? 12 + random.nextInt(20) : random.nextInt(5)];
    for (int i = 0; i < key.length; i++) {
      boolean same = i < key.length - 2 && key.length > 4;
      key[i] = same ? (byte) 'k' : parts[random.nextInt(parts.length)];
    }
    return Bytes.of(key);
  }
}
