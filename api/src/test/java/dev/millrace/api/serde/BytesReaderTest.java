package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesReaderTest {
  private static BytesReader over(String hex) {
    byte[] content = HexFormat.of().parseHex(hex);
    byte[] around = new byte[content.length + 20];
    Arrays.fill(around, (byte) 0x11);
    System.arraycopy(content, 0, around, 10, content.length);
    return new BytesReader(new Bytes().set(around, 10, content.length));
  }

  private static String messageOf(Runnable read) {
    return assertThrows(SerdeException.class, read::run).getMessage();
  }

  @Test
  void readsWhatTheWriterWrote() {
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      long number = random.nextLong() >> random.nextInt(64);
      BytesWriter out = new BytesWriter(1);
      out.writeByte((int) number);
      out.writeShort((int) number);
      out.writeInt((int) number);
      out.writeLong(number);
      out.writeVarInt((int) number);
      out.writeVarLong(number);
      BytesReader in = new BytesReader(out.view(new Bytes(), 0));
      assertEquals((byte) number, in.readByte());
      assertEquals((short) number, in.readShort());
      assertEquals((int) number, in.readInt());
      assertEquals(number, in.readLong());
      assertEquals((int) number, in.readVarInt());
      assertEquals(number, in.readVarLong());
      in.expectEnd();
    }
  }

  @Test
  void numbersOfVariableLengthHaveTheirKnownBytes() {
    assertEquals(300, over("ac02").readVarInt());
    assertEquals(127, over("7f").readVarInt());
    assertEquals(-1, over("ffffffff0f").readVarInt());
    assertEquals(-1, over("ffffffffffffffffff01").readVarLong());
    assertEquals(Long.MIN_VALUE, over("80808080808080808001").readVarLong());
  }

  @Test
  void paddedAndTooLongNumbersAreRefused() {
    for (String hex :
        new String[] {"8000", "ff00", "ffffffffffffffffff02", "80808080808080808080"}) {
      assertEquals(
          "no number of variable length stands at byte 0: it is too long or padded",
          messageOf(() -> over(hex).readVarLong()));
    }
    assertEquals(
        "a number of at most 32 bits was expected at byte 0",
        messageOf(() -> over("ffffffff1f").readVarInt()));
  }

  @Test
  void saysWhatIsMissing() {
    assertEquals(
        "expected 8 more bytes at byte 1, found 2",
        messageOf(() -> {
          BytesReader in = over("010203");
          in.skip(1);
          in.readLong();
        }));
    assertEquals(
        "a length of 5 bytes stands at byte 0, 2 are left",
        messageOf(() -> over("050101").readLength()));
    assertEquals(
        "a length of 18446744073709551615 bytes stands at byte 0, 0 are left",
        messageOf(() -> over("ffffffffffffffffff01").readLength()));
    assertEquals(
        "a count of 3 elements stands at byte 0, only 2 bytes are left",
        messageOf(() -> over("030101").readCount()));
    assertEquals(
        "the value ends at byte 0, but 2 more bytes follow",
        messageOf(() -> over("0101").expectEnd()));
    assertEquals(
        "expected -1 more bytes at byte 0, found 2", messageOf(() -> over("0101").readBytes(-1)));
  }

  @Test
  void partsEndWhereTheyAreSaidToEnd() {
    BytesReader in = over("0102030405");
    int outer = in.enter(2);
    assertEquals(2, in.remaining());
    assertEquals("expected 4 more bytes at byte 0, found 2", messageOf(in::readInt));
    assertEquals(
        "the value ends at byte 0, but 2 more bytes follow", messageOf(() -> in.leave(outer)));
    assertEquals(0x0102, in.readShort());
    in.leave(outer);
    assertArrayEquals(new byte[] {3, 4, 5}, in.readBytes(3));
  }

  @Test
  void lengthsAreWrittenBeforeContentOfAnySize() {
    for (int size : new int[] {0, 1, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152}) {
      BytesWriter out = new BytesWriter(4);
      out.writeByte(9);
      int mark = out.beginLength();
      byte[] content = new byte[size];
      new Random(size).nextBytes(content);
      out.write(content);
      out.endLength(mark);
      out.writeByte(7);
      BytesReader in = new BytesReader(out.view(new Bytes(), 0));
      assertEquals(9, in.readByte());
      assertArrayEquals(content, in.readBytes(in.readLength()));
      assertEquals(7, in.readByte());
      in.expectEnd();
    }
  }
}
