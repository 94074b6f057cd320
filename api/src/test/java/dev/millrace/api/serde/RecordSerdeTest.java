package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Samples.Boxes;
import dev.millrace.api.serde.Samples.Circle;
import dev.millrace.api.serde.Samples.Empty;
import dev.millrace.api.serde.Samples.Line;
import dev.millrace.api.serde.Samples.Node;
import dev.millrace.api.serde.Samples.Order;
import dev.millrace.api.serde.Samples.Pair;
import dev.millrace.api.serde.Samples.Primitives;
import dev.millrace.api.serde.Samples.Section;
import dev.millrace.api.serde.Samples.Shape;
import dev.millrace.api.serde.Samples.Simple;
import dev.millrace.api.serde.Samples.Source;
import dev.millrace.api.serde.Samples.Trend;
import java.lang.invoke.MethodHandles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordSerdeTest {
  private static <T> T roundTrip(Serde<T> serde, T value) {
    byte[] bytes = Samples.bytes(serde, value);
    T read = Samples.value(serde, bytes);
    assertArrayEquals(bytes, Samples.bytes(serde, read), "equal values give equal bytes");
    return read;
  }

  private static <T> void comesBack(Serde<T> serde, Function<Source, T> make) {
    long seed = serde.id().hashCode();
    Source source = new Source(seed);
    for (int i = 0; i < 1_000; i++) {
      T value = make.apply(source);
      assertEquals(value, roundTrip(serde, value), () -> "seed " + seed);
    }
  }

  @Test
  void recordsOfAllTypesComeBack() {
    comesBack(
        Serdes.record(Trend.class),
        s -> new Trend(s.anInstant(), s.anInt(), s.aString(), s.aLong()));
    comesBack(Serdes.record(Primitives.class), Source::primitives);
    comesBack(Serdes.record(Boxes.class), Source::boxes);
    comesBack(Serdes.record(Simple.class), Source::simple);
    comesBack(Serdes.record(Order.class), Source::order);
    comesBack(Serdes.record(Node.class), s -> s.node(4));
    comesBack(Serdes.forType(new TypeRef<Shape>() {}), s -> s.shape(3));
    comesBack(Serdes.record(Empty.class), s -> new Empty());
    comesBack(
        Serdes.forType(new TypeRef<Pair<String, Pair<Integer, List<Line>>>>() {}),
        s -> new Pair<>(s.aString(), new Pair<>(s.anInt(), s.listOf(3, Source::line))));
    comesBack(
        Serdes.forType(new TypeRef<Map<Section, Set<Line>>>() {}),
        s -> Map.of(s.oneOf(Section.values()), Set.copyOf(s.listOf(3, Source::line))));
  }

  @Test
  void aRecordTakesTensOfBytes() {
    Trend trend = new Trend(Instant.parse("2026-07-01T12:00:00Z"), 3, "kafka", 17);
    byte[] bytes = Samples.bytes(Serdes.record(Trend.class), trend);
    // Version, table of four, bitmap; then 9 for the time, 1 for 3, 6 for the text, 1 for 17.
    assertEquals(1 + 1 + 4 * 3 + 1 + 9 + 1 + 6 + 1, bytes.length);
  }

  @Test
  void elementsOfAListShareOneTable() {
    Serde<List<Circle>> serde = Serdes.listOf(Serdes.record(Circle.class));
    int one = Samples.bytes(serde, List.of(new Circle(1))).length;
    int two = Samples.bytes(serde, List.of(new Circle(1), new Circle(2))).length;
    assertEquals(1 + 8, two - one, "a bitmap and a double");
  }

  record PrimitiveArrays(
      boolean[] a, short[] b, char[] c, int[] d, long[] e, float[] f, double[] g, byte[] h) {}

  record MoreArrays(String[] texts, int[][] grid, Line[] lines, @Nullable List<String>[] lists) {}

  @Test
  void arraysComeBack() {
    PrimitiveArrays value =
        new PrimitiveArrays(
            new boolean[] {true, false},
            new short[] {-1, 300},
            new char[] {'x', '\uFFFF'},
            new int[] {1, -70_000},
            new long[] {Long.MIN_VALUE},
            new float[] {1.5f, -0.0f},
            new double[0],
            new byte[] {0, -1});
    PrimitiveArrays read = roundTrip(Serdes.record(PrimitiveArrays.class), value);
    assertArrayEquals(value.a, read.a);
    assertArrayEquals(value.b, read.b);
    assertArrayEquals(value.c, read.c);
    assertArrayEquals(value.d, read.d);
    assertArrayEquals(value.e, read.e);
    assertArrayEquals(value.f, read.f);
    assertArrayEquals(value.g, read.g);
    assertArrayEquals(value.h, read.h);
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void arraysOfReferencesComeBackWithTheirClass() {
    MoreArrays value =
        new MoreArrays(
            new String[] {"a", ""},
            new int[][] {{1, 2}, {}},
            new Line[] {new Line("x", 1, null)},
            new List[] {List.of("q")});
    MoreArrays read = roundTrip(Serdes.record(MoreArrays.class), value);
    assertArrayEquals(value.texts, read.texts);
    assertTrue(Arrays.deepEquals(value.grid, read.grid));
    assertArrayEquals(value.lines, read.lines);
    assertArrayEquals(value.lists, read.lists);
  }

  @Test
  void anArrayAndAListHaveTheSameBytes() {
    assertArrayEquals(
        Samples.bytes(Serdes.forType(new TypeRef<long[]>() {}), new long[] {5, -6}),
        Samples.bytes(Serdes.listOf(Serdes.longs()), List.of(5L, -6L)));
    assertEquals("list<long>", Serdes.forType(long[].class).schema());
  }

  record Texts(List<String> list, Set<String> set, Map<String, Integer> map) {}

  @Test
  void equalCollectionsOfAnyKindAndOrderGiveTheSameBytes() {
    Source source = new Source(8);
    Serde<Texts> serde = Serdes.record(Texts.class);
    for (int i = 0; i < 300; i++) {
      List<String> texts = source.listOf(12, Source::aString);
      List<String> shuffled = new ArrayList<>(texts);
      Collections.shuffle(shuffled, source.random);
      Map<String, Integer> one = new HashMap<>();
      texts.forEach(text -> one.put(text, text.length()));
      Map<String, Integer> other = new LinkedHashMap<>();
      shuffled.forEach(text -> other.put(text, text.length()));
      Texts a = new Texts(List.copyOf(texts), Set.copyOf(texts), Map.copyOf(one));
      Texts b = new Texts(new ArrayList<>(texts), new LinkedHashSet<>(shuffled), other);
      assertEquals(a, b);
      assertArrayEquals(Samples.bytes(serde, a), Samples.bytes(serde, b));
      assertEquals(a, Samples.value(serde, Samples.bytes(serde, b)));
    }
  }

  @Test
  void whatIsReadCannotBeChanged() {
    Texts read =
        roundTrip(Serdes.record(Texts.class), new Texts(List.of("a"), Set.of("b"), Map.of("c", 1)));
    assertThrows(UnsupportedOperationException.class, () -> read.list.set(0, "x"));
    assertThrows(UnsupportedOperationException.class, () -> read.set.add("x"));
    assertThrows(UnsupportedOperationException.class, () -> read.map.put("x", 1));
  }

  @Test
  @SuppressWarnings("NullOptional") // null is what is tried here
  void nullsComeBackAsNullAlsoWhereEmptyIsPossible() {
    Order nothing = new Order(0, null, null, null, null, null);
    assertEquals(nothing, roundTrip(Serdes.record(Order.class), nothing));
    Order empty =
        new Order(
            0, List.of(), Set.of(), Map.of(), Optional.empty(), Optional.of(Optional.empty()));
    assertEquals(empty, roundTrip(Serdes.record(Order.class), empty));
    assertFalse(nothing.equals(empty));
  }

  @Test
  void nullElementsAreRefusedWithTheirPlace() {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("a", 1, null));
    lines.add(null);
    Order order = new Order(1, lines, Set.of(), Map.of(), Optional.empty(), Optional.empty());
    assertEquals(
        "Order.lines: element 1 is null, which a list cannot hold",
        assertThrows(SerdeException.class, () -> Samples.bytes(Serdes.record(Order.class), order))
            .getMessage());
  }

  @Test
  @SuppressWarnings("NullOptional") // null is what is tried here
  void messagesNameTheComponentOfTheInnermostRecord() {
    byte[] bytes =
        Samples.bytes(
            Serdes.record(Order.class),
            new Order(0, List.of(new Line("abc", 1, null)), null, null, null, null));
    int text = bytes.length - 3 - 1;
    assertEquals('a', bytes[text]);
    bytes[text] = (byte) 0xFF;
    assertEquals(
        "Order.lines: Line.article: malformed UTF-8 at byte 0 of 3: 0xff",
        assertThrows(SerdeException.class, () -> Samples.value(Serdes.record(Order.class), bytes))
            .getMessage());
  }

  @Test
  void anotherFormatVersionIsRefused() {
    byte[] bytes = Samples.bytes(Serdes.record(Empty.class), new Empty());
    bytes[0] = 2;
    assertEquals(
        "record:dev.millrace.api.serde.Samples$Empty: expected format version 1, found 2",
        assertThrows(SerdeException.class, () -> Samples.value(Serdes.record(Empty.class), bytes))
            .getMessage());
  }

  record Even(int number) {
    Even {
      if (number % 2 != 0) {
        throw new IllegalArgumentException("odd");
      }
    }
  }

  record Odd(int number) {}

  @Test
  void aConstructorThatRefusesIsBadInput() {
    // A record of the same bytes whose constructor does not mind.
    byte[] bytes = Samples.bytes(Serdes.record(Odd.class), new Odd(3));
    SerdeException e =
        assertThrows(SerdeException.class, () -> Samples.value(Serdes.record(Even.class), bytes));
    assertEquals(
        "the constructor of Even refused what was read: IllegalArgumentException", e.getMessage());
    assertInstanceOf(IllegalArgumentException.class, e.getCause());
  }

  private record Hidden(int a, String... rest) {}

  @Test
  void privateAndLocalRecordsAreReached() {
    record Local(Optional<Hidden> hidden) {}
    Hidden hidden = new Hidden(4, "x", "y");
    Local read = roundTrip(Serdes.record(Local.class), new Local(Optional.of(hidden)));
    assertEquals(4, read.hidden.orElseThrow().a);
    assertArrayEquals(hidden.rest, read.hidden.orElseThrow().rest);
    Local again =
        roundTrip(
            Serdes.record(Local.class, MethodHandles.lookup()), new Local(Optional.of(hidden)));
    assertEquals(4, again.hidden.orElseThrow().a);
  }

  @Test
  void aClassIsPlannedOnce() {
    assertSame(Serdes.record(Trend.class), Serdes.record(Trend.class));
    assertSame(Serdes.record(Trend.class), Serdes.forType(Trend.class));
  }

  @Test
  void typesWithoutSerdeAreRefusedWithTheirPlace() {
    record Inner(Object payload) {}
    record Outer(List<Inner> inners) {}
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> Serdes.record(Outer.class))
            .getMessage()
            .startsWith(
                "There is no serde for java.lang.Object (component Outer.inners, Inner.payload);"
                    + " supported are"));
  }

  @Test
  @SuppressWarnings("rawtypes")
  void rawTypesAndVariablesAreRefusedWithTheirPlace() {
    record Raw(List list) {}
    assertEquals(
        "java.util.List stands there without its type arguments (component Raw.list)",
        assertThrows(IllegalArgumentException.class, () -> Serdes.record(Raw.class)).getMessage());
    assertEquals(
        "dev.millrace.api.serde.Samples$Pair stands there without its type arguments",
        assertThrows(IllegalArgumentException.class, () -> Serdes.forType(Pair.class))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> Serdes.forType(new TypeRef<List<?>>() {}));
  }

  sealed interface Mixed {}

  record Fine(int a) implements Mixed {}

  static final class NoRecord implements Mixed {}

  @Test
  void aSealedInterfaceOfOtherThanRecordsIsRefused() {
    assertEquals(
        "There is no serde for "
            + Mixed.class.getName()
            + ": it permits "
            + NoRecord.class.getName()
            + ", which is no record",
        assertThrows(IllegalArgumentException.class, () -> Serdes.forType(Mixed.class))
            .getMessage());
  }

  @Test
  void nestingIsLimitedWhenWrittenAndWhenRead() {
    Serde<Node> serde = Serdes.record(Node.class);
    assertEquals(250, depth(roundTrip(serde, chain(250))));
    BytesWriter out = new BytesWriter();
    assertTrue(
        assertThrows(SerdeException.class, () -> serde.write(chain(100_000), out))
            .getMessage()
            .endsWith("values are nested more than 300 deep"));
    out.clear();
    serde.write(chain(250), out);
    assertEquals(250, depth(serde.read(out.view(new Bytes(), 0))), "the writer can still be used");
  }

  private static Node chain(int length) {
    Node node = null;
    for (int i = 0; i < length; i++) {
      node = new Node(1, node, null, List.of());
    }
    return node;
  }

  private static int depth(@Nullable Node node) {
    int depth = 0;
    for (; node != null; node = node.left()) {
      depth++;
    }
    return depth;
  }

  @Test
  void bytesCannotUseUpTheStack() {
    // The body of a Node that holds a Node that holds a Node …, each with the table of its own.
    Serde<Node> serde = Serdes.record(Node.class);
    byte[] one = Samples.bytes(serde, new Node(0, null, null, null));
    byte[] table = Arrays.copyOfRange(one, 1, one.length - 1);
    byte[] inner = {};
    for (int i = 0; i < 2_000; i++) {
      BytesWriter out = new BytesWriter();
      out.write(table);
      out.writeByte(inner.length == 0 ? 0 : 0b10);
      if (inner.length > 0) {
        out.writeVarInt(inner.length);
        out.write(inner);
      }
      inner = out.toByteArray();
    }
    BytesWriter out = new BytesWriter();
    out.writeByte(1);
    out.write(inner);
    assertTrue(
        assertThrows(SerdeException.class, () -> serde.read(out.view(new Bytes(), 0)))
            .getMessage()
            .endsWith("values are nested more than 300 deep"));
  }

  @Test
  void collectionsOfForeignSerdesComeBack() {
    Serde<Map<Long, Optional<String>>> serde =
        Serdes.mapOf(Serdes.kafkaLong(), Serdes.optional(new Reversed()));
    Map<Long, Optional<String>> value = Map.of(5L, Optional.of("ab"), -1L, Optional.of(""));
    assertEquals(value, roundTrip(serde, value));
    assertFalse(serde.canonical(), "the foreign serde is not");
    assertTrue(Serdes.setOf(Serdes.kafkaLong()).canonical());
  }

  /// A serde as a user writes one.
  private static final class Reversed implements Serde<String> {
    @Override
    public String id() {
      return "reversed \"text\"";
    }

    @Override
    public void write(String value, BytesWriter out) {
      Serdes.string().write(new StringBuilder(value).reverse().toString(), out);
    }

    @Override
    public String read(Bytes in) {
      return new StringBuilder(Serdes.string().read(in)).reverse().toString();
    }
  }

  @Test
  void defaultsAreThoseOfAnyRecord() {
    record Wide(
        int a0,
        int a1,
        int a2,
        int a3,
        int a4,
        int a5,
        int a6,
        int a7,
        int a8,
        @Nullable String s) {}
    Wide zero = new Wide(0, 0, 0, 0, 0, 0, 0, 0, 0, null);
    byte[] bytes = Samples.bytes(Serdes.record(Wide.class), zero);
    assertEquals(1 + 1 + 30 + 2, bytes.length, "two bytes of bitmap, no bodies");
    assertNull(Samples.value(Serdes.record(Wide.class), bytes).s);
    Wide full = new Wide(1, 2, 3, 4, 5, 6, 7, 8, 9, "x");
    assertEquals(full, roundTrip(Serdes.record(Wide.class), full));
  }
}
