package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class Utf8Test {
  private static final long SEED = 20_260_701;

  @Test
  void readsAndRefusesTheSameBytesAsTheDecoderOfTheJdk() {
    Random random = new Random(SEED);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = nearlyUtf8(random);
      String expected = decoded(bytes);
      if (expected == null) {
        refused++;
        assertThrows(
            SerdeException.class, () -> Utf8.read(bytes, 0, bytes.length), () -> "seed " + SEED);
      } else {
        assertEquals(expected, Utf8.read(bytes, 0, bytes.length));
      }
    }
    assertTrue(refused > 2_000 && refused < 18_000, "both kinds were tried: " + refused);
  }

  @Test
  void readsAndRefusesTheEdgesOfEveryLeadingByteAsTheJdk() {
    byte[] bytes = {0, 0, (byte) 0x80, (byte) 0x80};
    for (int first = 0xC0; first < 0x100; first++) {
      for (int second : new int[] {0, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF}) {
        bytes[0] = (byte) first;
        bytes[1] = (byte) second;
        for (int length = 1; length <= 4; length++) {
          byte[] cut = Arrays.copyOf(bytes, length);
          String expected = decoded(cut);
          assertEquals(expected, readOrNull(cut), () -> HexFormat.of().formatHex(cut));
        }
      }
    }
  }

  @Test
  void writesAndRefusesTheSameTextsAsTheEncoderOfTheJdk() {
    Random random = new Random(SEED);
    for (int i = 0; i < 10_000; i++) {
      char[] chars = new char[random.nextInt(6)];
      for (int c = 0; c < chars.length; c++) {
        chars[c] =
            switch (random.nextInt(4)) {
              case 0 -> (char) random.nextInt(0x80);
              case 1 -> (char) random.nextInt(0xD800, 0xE000);
              default -> (char) random.nextInt(0x10000);
            };
      }
      String text = new String(chars);
      byte[] expected = encoded(text);
      BytesWriter out = new BytesWriter(1);
      if (expected == null) {
        assertThrows(SerdeException.class, () -> Utf8.write(text, out));
      } else {
        Utf8.write(text, out);
        assertArrayEquals(expected, out.toByteArray());
      }
    }
  }

  @Test
  void saysWhereTheFaultIs() {
    byte[] bytes = {'a', 'b', (byte) 0xC3, 'c'};
    assertEquals(
        "malformed UTF-8 at byte 2 of 4: 0xc3",
        assertThrows(SerdeException.class, () -> Utf8.read(bytes, 0, 4)).getMessage());
    assertEquals(
        "the text has an unpaired surrogate at index 1, which UTF-8 cannot hold",
        assertThrows(SerdeException.class, () -> Utf8.write("a\uD800b", new BytesWriter()))
            .getMessage());
  }

  private static byte[] nearlyUtf8(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i >= 0; i--) {
      text.appendCodePoint(random.nextInt(1 << random.nextInt(1, 17)));
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    if (random.nextBoolean()) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  private static @Nullable String readOrNull(byte[] bytes) {
    try {
      return Utf8.read(bytes, 0, bytes.length);
    } catch (SerdeException e) {
      return null;
    }
  }

  private static @Nullable String decoded(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static byte @Nullable [] encoded(String text) {
    try {
      ByteBuffer bytes =
          StandardCharsets.UTF_8
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(text));
      byte[] array = new byte[bytes.remaining()];
      bytes.get(array);
      return array;
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
