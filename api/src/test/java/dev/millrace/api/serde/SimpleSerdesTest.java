package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Samples.Section;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SimpleSerdesTest {
  private static final int VALUES = 150;

  /// Every pair of many values: the order of the bytes against the order of the values, equality
  /// against equality, and back to the value.
  private static <T> void keepsOrder(
      Serde<T> serde, Function<Samples.Source, T> make, Comparator<? super T> natural) {
    Samples.Source source = new Samples.Source(serde.id().hashCode());
    List<T> values = new ArrayList<>();
    List<byte[]> coded = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      T value = make.apply(source);
      byte[] bytes = Samples.bytes(serde, value);
      assertEquals(value, Samples.value(serde, bytes), serde::id);
      values.add(value);
      coded.add(bytes);
    }
    for (int i = 0; i < VALUES; i++) {
      for (int j = 0; j < VALUES; j++) {
        T left = values.get(i);
        T right = values.get(j);
        int expected = Integer.signum(natural.compare(left, right));
        int found = Integer.signum(Bytes.of(coded.get(i)).compareTo(Bytes.of(coded.get(j))));
        if (expected != 0 || left.equals(right)) {
          assertEquals(expected, found, () -> serde.id() + ": " + left + " and " + right);
        }
      }
    }
    assertTrue(serde.ordered() && serde.canonical());
  }

  @Test
  void theOrderOfTheBytesIsTheOrderOfTheValues() {
    keepsOrder(Serdes.longs(), Samples.Source::aLong, Comparator.naturalOrder());
    keepsOrder(Serdes.ints(), Samples.Source::anInt, Comparator.naturalOrder());
    keepsOrder(Serdes.shorts(), s -> (short) s.anInt(), Comparator.naturalOrder());
    keepsOrder(Serdes.byteValues(), s -> (byte) s.anInt(), Comparator.naturalOrder());
    keepsOrder(Serdes.chars(), s -> (char) s.anInt(), Comparator.naturalOrder());
    keepsOrder(Serdes.booleans(), Samples.Source::coin, Comparator.naturalOrder());
    keepsOrder(Serdes.doubles(), Samples.Source::aDouble, Comparator.naturalOrder());
    keepsOrder(Serdes.floats(), Samples.Source::aFloat, Comparator.naturalOrder());
    keepsOrder(Serdes.uuid(), Samples.Source::aUuid, Comparator.naturalOrder());
    keepsOrder(Serdes.instant(), Samples.Source::anInstant, Comparator.naturalOrder());
    keepsOrder(Serdes.duration(), Samples.Source::aDuration, Comparator.naturalOrder());
    keepsOrder(Serdes.localDate(), Samples.Source::aDate, Comparator.naturalOrder());
    keepsOrder(Serdes.localTime(), Samples.Source::aTime, Comparator.naturalOrder());
    keepsOrder(Serdes.localDateTime(), s -> s.aDate().atTime(s.aTime()), Comparator.naturalOrder());
    keepsOrder(Serdes.bigInteger(), Samples.Source::aBigInteger, Comparator.naturalOrder());
    keepsOrder(Serdes.bigDecimal(), Samples.Source::aBigDecimal, Comparator.naturalOrder());
    keepsOrder(
        Serdes.enumeration(Section.class),
        s -> s.oneOf(Section.values()),
        Comparator.naturalOrder());
    keepsOrder(
        Serdes.string(),
        Samples.Source::aString,
        (a, b) -> Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray()));
  }

  @Test
  void decimalsThatCompareAsEqualStayApart() {
    byte[] one = Samples.bytes(Serdes.bigDecimal(), new BigDecimal("1.0"));
    byte[] two = Samples.bytes(Serdes.bigDecimal(), new BigDecimal("1.00"));
    assertTrue(!Bytes.of(one).equals(Bytes.of(two)));
    assertEquals(new BigDecimal("1.00"), Samples.value(Serdes.bigDecimal(), two));
  }

  @Test
  void everyNaNBecomesTheSameBytes() {
    double odd = Double.longBitsToDouble(0xFFF8_0000_0000_0123L);
    assertArrayEquals(
        Samples.bytes(Serdes.doubles(), Double.NaN), Samples.bytes(Serdes.doubles(), odd));
  }

  @Test
  void theBytesAreThoseOfTheDocumentation() {
    assertHex("8000000000000001", Serdes.longs(), 1L);
    assertHex("7fffffffffffffff", Serdes.longs(), -1L);
    assertHex("7ffffffe", Serdes.ints(), -2);
    assertHex("68c3a9", Serdes.string(), "hé");
    assertHex("01", Serdes.booleans(), true);
    assertHex("bff0000000000000", Serdes.doubles(), 1.0);
    assertHex("400fffffffffffff", Serdes.doubles(), -1.0);
    assertHex("800000003b9aca00", Serdes.instant(), Instant.ofEpochSecond(1));
    assertHex("0001", Serdes.enumeration(Section.class), Section.JOB);
    assertHex("8000000000000001", Serdes.localDate(), LocalDate.of(1970, 1, 2));
    assertHex("80000002" + "0100", Serdes.bigInteger(), BigInteger.valueOf(256));
    assertHex("02" + "8000000000000001" + "2340", Serdes.bigDecimal(), new BigDecimal("1.23"));
  }

  private static <T> void assertHex(String expected, Serde<T> serde, T value) {
    assertEquals(expected, HexFormat.of().formatHex(Samples.bytes(serde, value)), serde::id);
  }

  @Test
  void aWrongLengthIsSaid() {
    assertMessage("long: expected 8 bytes, found 5", Serdes.longs(), "0102030405");
    assertMessage("int: expected 4 bytes, found 0", Serdes.ints(), "");
    assertMessage("uuid: expected 16 bytes, found 1", Serdes.uuid(), "00");
    assertMessage("kafka-long: expected 8 bytes, found 4", Serdes.kafkaLong(), "00000000");
    assertMessage("expected 8 more bytes at byte 0, found 3", Serdes.instant(), "800000");
    assertMessage(
        "the value ends at byte 8, but 1 more bytes follow",
        Serdes.duration(),
        "8000000000000000" + "00");
  }

  @Test
  void valuesThatDoNotExistAreRefused() {
    assertMessage("expected 0 or 1 for a boolean, found 2", Serdes.booleans(), "02");
    assertMessage(
        "Section has 3 constants, found number 3", Serdes.enumeration(Section.class), "0003");
    assertMessage(
        "malformed instant: seconds or nanoseconds out of range",
        Serdes.instant(),
        "ffffffffffffffff" + "8000000000000000" + "00000000");
    assertMessage("malformed digits of a decimal", Serdes.bigDecimal(), "028000000000000001f0");
    assertMessage("a number of 2 bytes is padded", Serdes.bigInteger(), "800000020001");
    assertThrows(
        SerdeException.class,
        () -> Samples.value(Serdes.localTime(), HexFormat.of().parseHex("ffffffffffffffff")));
    assertThrows(
        SerdeException.class,
        () -> Samples.value(Serdes.localDate(), HexFormat.of().parseHex("ffffffffffffffff")));
  }

  private static void assertMessage(String expected, Serde<?> serde, String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertEquals(
        expected,
        assertThrows(SerdeException.class, () -> Samples.value(serde, bytes)).getMessage());
  }

  @Test
  void viewsShowTheBytesAndDoNotMoveWithTheViewTheyWereReadFrom() {
    byte[] array = {1, 2, 3, 4};
    Bytes in = new Bytes().set(array, 1, 2);
    Bytes view = Serdes.view().read(in);
    in.set(array, 0, 1);
    assertEquals(Bytes.of(new byte[] {2, 3}), view);
    assertSame(array, view.array());
    Bytes copied = (Bytes) Serdes.forType(Bytes.class).read(view);
    assertEquals(view, copied);
    assertNotSame(array, copied.array());
  }

  @Test
  void insideAnotherValueAViewIsACopy() {
    Bytes one = Bytes.ofUtf8("one");
    var lists = Serdes.listOf(Serdes.view());
    byte[] list = Samples.bytes(lists, List.of(one, one));
    List<Bytes> read = lists.read(Bytes.of(list));
    var optionals = Serdes.optional(Serdes.view());
    byte[] optional = Samples.bytes(optionals, Optional.of(one));
    Optional<Bytes> present = optionals.read(Bytes.of(optional));
    var maps = Serdes.mapOf(Serdes.view(), Serdes.view());
    byte[] map = Samples.bytes(maps, Map.of(one, one));
    Map<Bytes, Bytes> entries = maps.read(Bytes.of(map));
    List.of(list, optional, map).forEach(each -> Arrays.fill(each, (byte) 0xDB));
    assertEquals(List.of(one, one), read);
    assertEquals(Optional.of(one), present);
    assertEquals(Map.of(one, one), entries);
  }

  @Test
  void kafkaNumbersArePlainBigEndian() {
    Samples.Source source = new Samples.Source(5);
    for (int i = 0; i < 1_000; i++) {
      long l = source.aLong();
      int n = source.anInt();
      double d = source.aDouble();
      float f = source.aFloat();
      assertArrayEquals(
          ByteBuffer.allocate(8).putLong(l).array(), Samples.bytes(Serdes.kafkaLong(), l));
      assertArrayEquals(
          ByteBuffer.allocate(4).putInt(n).array(), Samples.bytes(Serdes.kafkaInteger(), n));
      assertArrayEquals(
          ByteBuffer.allocate(2).putShort((short) n).array(),
          Samples.bytes(Serdes.kafkaShort(), (short) n));
      assertEquals(l, Samples.value(Serdes.kafkaLong(), Samples.bytes(Serdes.kafkaLong(), l)));
      assertEquals(
          n, Samples.value(Serdes.kafkaInteger(), Samples.bytes(Serdes.kafkaInteger(), n)));
      assertEquals(
          (short) n,
          Samples.value(Serdes.kafkaShort(), Samples.bytes(Serdes.kafkaShort(), (short) n)));
      assertEquals(d, Samples.value(Serdes.kafkaDouble(), Samples.bytes(Serdes.kafkaDouble(), d)));
      assertEquals(f, Samples.value(Serdes.kafkaFloat(), Samples.bytes(Serdes.kafkaFloat(), f)));
    }
    assertTrue(!Serdes.kafkaLong().ordered() && Serdes.kafkaLong().canonical());
  }

  @Test
  void idsAndSchemasAreStable() {
    assertEquals("string", Serdes.string().id());
    assertEquals("long", Serdes.longs().id());
    assertEquals("kafka-long", Serdes.kafkaLong().id());
    assertEquals("bytes", Serdes.view().id());
    assertEquals(Serdes.bytes().schema(), Serdes.view().schema());
    assertEquals("enum:" + Section.class.getName(), Serdes.enumeration(Section.class).id());
    assertEquals("ordinal(SKILL,JOB,SCHOOL)", Serdes.enumeration(Section.class).schema());
    assertEquals("list<long>", Serdes.listOf(Serdes.longs()).id());
    assertEquals("map<string,uuid>", Serdes.mapOf(Serdes.string(), Serdes.uuid()).schema());
    assertEquals("optional<other\"kafka-long\">", Serdes.optional(Serdes.kafkaLong()).schema());
  }

  @Test
  void aDurationOfAnyLengthIsRead() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    assertEquals(20, Samples.bytes(Serdes.duration(), longest).length);
    assertEquals(
        longest, Samples.value(Serdes.duration(), Samples.bytes(Serdes.duration(), longest)));
  }
}
