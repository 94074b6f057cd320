package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Samples.Key;
import dev.millrace.api.serde.Samples.Node;
import dev.millrace.api.serde.Samples.Pair;
import dev.millrace.api.serde.Samples.Primitives;
import dev.millrace.api.serde.Samples.Section;
import dev.millrace.api.serde.Samples.Shape;
import dev.millrace.api.serde.Samples.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

@SuppressWarnings("BoxingComparator") // one comparator a component reads better
class KeyFormTest {
  private static final int VALUES = 300;
  private static final Comparator<String> BY_CODE_POINTS =
      (a, b) -> Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());

  private static <T> void keepsOrder(
      Serde<T> serde, Function<Source, T> make, Comparator<T> natural) {
    long seed = serde.id().hashCode();
    Source source = new Source(seed);
    List<T> values = new ArrayList<>();
    List<Bytes> coded = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      T value = make.apply(source);
      byte[] bytes = Samples.bytes(serde, value);
      assertEquals(value, Samples.value(serde, bytes), () -> "seed " + seed);
      values.add(value);
      coded.add(Bytes.of(bytes));
    }
    for (int i = 0; i < VALUES; i++) {
      for (int j = 0; j < VALUES; j++) {
        T left = values.get(i);
        T right = values.get(j);
        assertEquals(
            Integer.signum(natural.compare(left, right)),
            Integer.signum(coded.get(i).compareTo(coded.get(j))),
            () -> "seed " + seed + ": " + left + " and " + right);
      }
    }
    assertTrue(serde.ordered() && serde.canonical());
  }

  private static <T> Comparator<Optional<T>> emptyFirst(Comparator<T> natural) {
    return (a, b) ->
        a.isPresent() && b.isPresent()
            ? natural.compare(a.get(), b.get())
            : Boolean.compare(a.isPresent(), b.isPresent());
  }

  private static <T> Comparator<List<T>> lexicographic(Comparator<T> natural) {
    return (a, b) -> {
      for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
        int order = natural.compare(a.get(i), b.get(i));
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(a.size(), b.size());
    };
  }

  @Test
  void recordsSortByTheirComponentsFromTheFirstOn() {
    keepsOrder(
        Serdes.orderedRecord(Key.class),
        Source::key,
        Comparator.comparing(Key::tag, BY_CODE_POINTS)
            .thenComparing(Key::rank)
            .thenComparing(Key::version, emptyFirst(Comparator.<Long>naturalOrder()))
            .thenComparing(Key::at));
  }

  @Test
  void everyPrimitiveSorts() {
    keepsOrder(
        Serdes.orderedRecord(Primitives.class),
        s ->
            s.coin()
                ? s.primitives()
                : new Primitives(
                    true,
                    (byte) -1,
                    (short) 5,
                    'x',
                    s.oneOf(-1, 0, 1),
                    s.oneOf(-1L, 0L, 1L),
                    s.oneOf(-0.0f, 0.0f, Float.NaN),
                    s.aDouble()),
        Comparator.comparing(Primitives::flag)
            .thenComparing(Primitives::small)
            .thenComparing(Primitives::half)
            .thenComparing(Primitives::letter)
            .thenComparing(Primitives::whole)
            .thenComparing(Primitives::big)
            .thenComparing(Primitives::f)
            .thenComparing(Primitives::d));
  }

  @Test
  void listsAndRecordsInRecordsSort() {
    record Inner(byte letter, String text) {}
    record Outer(List<Inner> path, Section section, Instant at) {}
    keepsOrder(
        Serdes.orderedRecord(Outer.class),
        s ->
            new Outer(
                s.listOf(
                    2,
                    t ->
                        new Inner(
                            t.oneOf((byte) 0, (byte) -1), t.oneOf("", "a", "a\0", "\0", "\1"))),
                s.oneOf(Section.values()),
                s.anInstant()),
        Comparator.comparing(
                Outer::path,
                lexicographic(
                    Comparator.comparing(Inner::letter).thenComparing(Inner::text, BY_CODE_POINTS)))
            .thenComparing(Outer::section)
            .thenComparing(Outer::at));
  }

  @Test
  void bytesWithZerosAndOnesSort() {
    record Raw(Bytes bytes, byte next) {}
    keepsOrder(
        Serdes.orderedRecord(Raw.class),
        s -> new Raw(Bytes.of(s.someBytes()), s.oneOf((byte) -128, (byte) 0, (byte) 127)),
        Comparator.comparing(Raw::bytes).thenComparing(Raw::next));
  }

  @Test
  void theBytesAreThoseOfTheDocumentation() {
    Key key = new Key("a\0\1b", -1, Optional.of(2L), Instant.EPOCH);
    assertEquals(
        "61"
            + "0101"
            + "0102"
            + "62"
            + "00"
            + "7fffffff"
            + "01"
            + "8000000000000002"
            + "8000000000000000",
        HexFormat.of().formatHex(Samples.bytes(Serdes.orderedRecord(Key.class), key)));
  }

  @Test
  void keysThatBeginWithEqualComponentsBeginWithEqualBytes() {
    Serde<Pair<String, Integer>> serde = Serdes.keyForType(new TypeRef<Pair<String, Integer>>() {});
    byte[] one = Samples.bytes(serde, new Pair<>("tag", 1));
    byte[] two = Samples.bytes(serde, new Pair<>("tag", -7));
    byte[] longer = Samples.bytes(serde, new Pair<>("tags", 1));
    assertArrayEquals(Arrays.copyOf(one, 4), Arrays.copyOf(two, 4));
    assertTrue(Arrays.mismatch(one, longer) == 3, "the end of the text is in the bytes");
  }

  @Test
  void whatHasNoPartsIsTheSameAsAValueAndAsAKey() {
    assertEquals(Serdes.string().id(), Serdes.keyForType(String.class).id());
    assertArrayEquals(
        Samples.bytes(Serdes.longs(), 5L),
        Samples.bytes(Serdes.keyForType(new TypeRef<Long>() {}), 5L));
    assertSame(Serdes.orderedRecord(Key.class), Serdes.keyForType(Key.class));
  }

  @Test
  void nullInAKeyIsRefused() {
    assertEquals(
        "component tag of the key Key is null; make it an Optional if it may be missing",
        assertThrows(
                SerdeException.class,
                () ->
                    Samples.bytes(
                        Serdes.orderedRecord(Key.class),
                        new Key(null, 1, Optional.empty(), Instant.EPOCH)))
            .getMessage());
  }

  @Test
  void typesWithoutOrderAreRefusedWithTheirPlace() {
    record Bad(Optional<Map<String, String>> attributes) {}
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> Serdes.orderedRecord(Bad.class))
            .getMessage()
            .startsWith(
                "There is no serde for java.util.Map<java.lang.String,java.lang.String>"
                    + " (component Bad.attributes) in a key; supported are"));
    assertThrows(IllegalArgumentException.class, () -> Serdes.keyForType(Shape.class));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> Serdes.orderedRecord(Node.class))
            .getMessage()
            .contains("since it contains itself"));
  }

  @Test
  void aKeyDoesNotEvolve() {
    Serde<Key> serde = Serdes.orderedRecord(Key.class);
    assertEquals("key:record:dev.millrace.api.serde.Samples$Key", serde.id());
    assertEquals("Key{tag:string,rank:int,version:optional<long>,at:instant}", serde.schema());
    assertTrue(serde.canRead(serde.schema()));
    assertEquals(
        Optional.of(
            "the parts of a key cannot change: it was written as Key{tag:string} and is read as "
                + serde.schema()),
        Serdes.obstacle(serde, "Key{tag:string}"));
  }

  @Test
  void malformedKeysAreRefused() {
    Serde<Key> serde = Serdes.orderedRecord(Key.class);
    assertMessage("no end of a string in a key", serde, "6162");
    assertMessage("malformed escape of a string in a key", serde, "010300");
    assertMessage("expected 1 more bytes at byte 1, found 0", serde, "0100");
    assertMessage("expected 4 more bytes at byte 2, found 1", serde, "610080");
    assertMessage(
        "the value ends at byte 14, but 1 more bytes follow",
        serde,
        "00" + "80000000" + "00" + "8000000000000000" + "00");
  }

  private static void assertMessage(String expected, Serde<?> serde, String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertEquals(
        expected,
        assertThrows(SerdeException.class, () -> Samples.value(serde, bytes)).getMessage());
  }
}
