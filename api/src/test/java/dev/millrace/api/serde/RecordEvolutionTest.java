package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Two versions of a record stand in two classes here, as they would in two builds of a program.
class RecordEvolutionTest {

  private static <A, B> B reread(Class<A> from, A value, Class<B> to) {
    Serde<A> writer = of(from);
    Serde<B> reader = of(to);
    assertEquals(Optional.empty(), Serdes.obstacle(reader, writer.schema()));
    assertTrue(reader.canRead(writer.schema()));
    B first = Samples.value(reader, Samples.bytes(writer, value));
    assertEquals(first, Samples.value(reader, Samples.bytes(writer, value)), "a second time");
    return first;
  }

  @SuppressWarnings("unchecked")
  private static <T> Serde<T> of(Class<T> type) {
    return (Serde<T>) Serdes.forType(type);
  }

  @Test
  void whatIsMissingIsEmptyZeroOrNullAndWhatIsGoneIsSkipped() {
    V2.Trend read = reread(V1.Trend.class, new V1.Trend("kafka", 3, 17), V2.Trend.class);
    V2.Trend expected =
        new V2.Trend(
            null,
            "kafka",
            17,
            false,
            0,
            null,
            Optional.empty(),
            List.of(),
            Set.of(),
            Map.of(),
            null);
    assertEquals(expected, read);
  }

  @Test
  void theOlderVersionReadsTheNewer() {
    V2.Trend written =
        new V2.Trend(
            Instant.MAX,
            "kafka",
            17,
            true,
            0.5,
            -1,
            Optional.of("n"),
            List.of("m"),
            Set.of(4L),
            Map.of("k", 1),
            new int[] {1});
    assertEquals(new V1.Trend("kafka", 0, 17), reread(V2.Trend.class, written, V1.Trend.class));
  }

  @Test
  void partsAtAnyDepthEvolve() {
    V1.Trend trend = new V1.Trend("a", 1, 2);
    V1.Report report =
        new V1.Report(
            "t", List.of(trend, new V1.Trend("b", 3, 4)), Map.of("a", trend), V1.Mark.LOW);
    V2.Report read = reread(V1.Report.class, report, V2.Report.class);
    assertEquals(List.of("a", "b"), read.trends().stream().map(V2.Trend::tag).toList());
    assertEquals(List.of(2L, 4L), read.trends().stream().map(V2.Trend::count).toList());
    assertEquals(2, Objects.requireNonNull(read.byTag().get("a")).count());
    assertEquals(V2.Mark.LOW, read.mark());
    assertNull(read.best());
    assertEquals(
        report.trends().stream().map(V1.Trend::tag).toList(),
        Samples.value(of(V1.Report.class), Samples.bytes(of(V2.Report.class), read))
            .trends()
            .stream()
            .map(V1.Trend::tag)
            .toList());
  }

  @Test
  void recordsOfASealedInterfaceEvolveAndMove() {
    assertEquals(
        new V2.Opened("x", null), reread(V1.Event.class, new V1.Opened("x"), V2.Event.class));
    assertEquals(new V2.Closed(9), reread(V1.Event.class, new V1.Closed("x", 9), V2.Event.class));
  }

  @Test
  void recordsThatContainThemselvesEvolve() {
    V1.Tree tree = new V1.Tree(1, List.of(new V1.Tree(2, List.of()), new V1.Tree(3, List.of())));
    V2.Tree expected =
        new V2.Tree(null, List.of(new V2.Tree(null, List.of()), new V2.Tree(null, List.of())));
    assertEquals(expected, reread(V1.Tree.class, tree, V2.Tree.class));
  }

  @Test
  void theConstructorSetsOtherDefaults() {
    record Before(String tag) {}
    record After(String tag, @Nullable String language) {
      After {
        language = language == null ? "en" : language;
      }
    }
    assertEquals(new After("a", "en"), reread(Before.class, new Before("a"), After.class));
  }

  @Test
  void severalVersionsAreReadSideBySide() {
    record A(int x) {}
    record B(int y, int x) {}
    record C(int x, int y, String z) {}
    record D(int z0, int x) {}
    Serde<B> reader = Serdes.record(B.class);
    Random random = new Random(12);
    for (int i = 0; i < 1_000; i++) {
      int x = random.nextInt();
      int y = random.nextInt();
      B expected = new B(0, x);
      switch (random.nextInt(4)) {
        case 0 -> assertEquals(expected, reread(A.class, new A(x), B.class));
        case 1 -> assertEquals(new B(y, x), reread(C.class, new C(x, y, "z"), B.class));
        case 2 -> assertEquals(expected, reread(D.class, new D(y, x), B.class));
        default ->
            assertEquals(new B(y, x), Samples.value(reader, Samples.bytes(reader, new B(y, x))));
      }
    }
  }

  @Test
  void moreVersionsThanAreRememberedAreStillRead() {
    record Target(long c, int a) {}
    // Tables made by hand: components of unknown names before and after the known ones.
    for (int round = 0; round < 3; round++) {
      for (int extra = 0; extra < 40; extra++) {
        BytesWriter out = new BytesWriter();
        out.writeByte(1);
        out.writeByte(extra + 1);
        for (int i = 0; i < extra; i++) {
          tag(out, "unknown" + i, TypeCode.INT);
        }
        tag(out, "a", TypeCode.INT);
        for (int i = 0; i <= extra; i += 8) {
          out.writeByte((1 << Math.min(8, extra + 1 - i)) - 1);
        }
        for (int i = 0; i < extra; i++) {
          out.writeVarInt(300 + i);
        }
        out.writeVarInt(14);
        assertEquals(
            new Target(0, 7), Samples.value(Serdes.record(Target.class), out.toByteArray()));
      }
    }
  }

  private static void tag(BytesWriter out, String name, TypeCode code) {
    int tag = Names.number(name, Names.COMPONENT_BITS) << TypeCode.BITS | code.number;
    out.writeByte(tag >> 16);
    out.writeShort(tag);
  }

  @Test
  void typesOfLaterVersionsOfTheFormatAreSkipped() {
    record Target(int a) {}
    int[] laterTypes = {14, 31, 33, 39, 51, 55, 59, 63};
    BytesWriter out = new BytesWriter();
    out.writeByte(1);
    out.writeByte(laterTypes.length + 1);
    for (int type : laterTypes) {
      out.writeByte(0);
      out.writeShort(1_000 + type << TypeCode.BITS | type);
    }
    tag(out, "a", TypeCode.INT);
    out.writeByte(0xFF);
    out.writeByte(1);
    out.write(new byte[] {2, 9, 9}); // 14: three bytes with the length
    out.write(new byte[] {0}); // 31: no bytes after the length
    out.write(new byte[] {9}); // 39: one byte; 33 has none
    out.writeVarInt(300); // 51
    out.writeInt(9); // 55
    out.writeLong(9); // 59
    out.write(new byte[16]); // 63
    out.writeByte(10);
    assertEquals(new Target(5), Samples.value(Serdes.record(Target.class), out.toByteArray()));
  }

  @Test
  void anotherTypeOfTheSameNameIsFoundInTheBytesAndInTheSchema() {
    record Before(String tag, long count) {}
    record After(String tag, int count) {}
    Serde<After> reader = Serdes.record(After.class);
    Serde<Before> writer = Serdes.record(Before.class);
    assertEquals(
        Optional.of("component count of After was written as long and is read as int"),
        Serdes.obstacle(reader, writer.schema()));
    assertFalse(reader.canRead(writer.schema()));
    byte[] bytes = Samples.bytes(writer, new Before("a", 1));
    assertEquals(
        "After.count was written as long and is read as int",
        assertThrows(SerdeException.class, () -> Samples.value(reader, bytes)).getMessage());
  }

  @Test
  void whatWasCalledOtherwiseIsReadUnderItsNewName() {
    record Before(String tag, int n) {}
    record Between(String tag, @Was("n") int visits) {}
    record After(@Was({"visits", "n"}) long count, String tag) {}
    assertEquals(new Between("a", 7), reread(Before.class, new Before("a", 7), Between.class));
    assertEquals(new After(7, "a"), reread(Before.class, new Before("a", 7), After.class));
    assertEquals(new After(8, "b"), reread(Between.class, new Between("b", 8), After.class));
  }

  @Test
  void aFormerNameIsNotForgotten() {
    record Before(@Was("n") int visits) {}
    record After(int visits) {}
    assertEquals(
        Optional.of(
            "component visits of After was called n before, and values of that time may still be"
                + " there: keep @Was(\"n\")"),
        Serdes.obstacle(Serdes.record(After.class), Serdes.record(Before.class).schema()));
  }

  @Test
  void twoComponentsDoNotBecomeOne() {
    record Before(int n, int visits) {}
    record After(@Was("n") int visits) {}
    assertEquals(
        Optional.of(
            "n and visits of After were two components, and one is to take the place of both"),
        Serdes.obstacle(Serdes.record(After.class), Serdes.record(Before.class).schema()));
    byte[] bytes = Samples.bytes(Serdes.record(Before.class), new Before(1, 2));
    assertEquals(
        "After.visits stands there twice",
        assertThrows(SerdeException.class, () -> Samples.value(Serdes.record(After.class), bytes))
            .getMessage());
  }

  @Test
  void aFormerNameOfAnotherComponentIsRefused() {
    record Both(@Was("n") int visits, int n) {}
    assertThrows(IllegalArgumentException.class, () -> Serdes.record(Both.class));
  }

  @Test
  void whatMayBeNullIsNotReadAsWhatMayNot() {
    record Before(@Nullable Integer count) {}
    record After(int count) {}
    assertEquals(
        Optional.of("component count of After was written as int? and is read as int"),
        Serdes.obstacle(Serdes.record(After.class), Serdes.record(Before.class).schema()));
  }

  @Test
  void anotherTypeOfElementsIsFound() {
    record Before(List<String> tags) {}
    record After(List<Integer> tags) {}
    assertEquals(
        Optional.of(
            "a part of component tags of After (list) was written as string and is read as int"),
        Serdes.obstacle(Serdes.record(After.class), Serdes.record(Before.class).schema()));
    byte[] bytes = Samples.bytes(Serdes.record(Before.class), new Before(List.of("a")));
    assertEquals(
        "After.tags: elements were written as string and are read as int",
        assertThrows(SerdeException.class, () -> Samples.value(Serdes.record(After.class), bytes))
            .getMessage());
  }

  @Test
  void whatIsGoneFromAnEnumOrASealedInterfaceIsNamed() {
    assertEquals(
        Optional.of(
            "component mark of Report may have been written as the constant NONE, which is gone"),
        Serdes.obstacle(Serdes.record(V1.Report.class), Serdes.record(V2.Report.class).schema()));
    assertEquals(
        Optional.of("the value may have been written as a Moved, which is gone"),
        Serdes.obstacle(Serdes.forType(V1.Event.class), Serdes.forType(V2.Event.class).schema()));
    byte[] moved = Samples.bytes(of(V2.Event.class), new V2.Moved("y"));
    String message =
        assertThrows(SerdeException.class, () -> Samples.value(of(V1.Event.class), moved))
            .getMessage();
    assertTrue(message.endsWith("known are Opened, Closed"), message);
    byte[] none =
        Samples.bytes(
            Serdes.record(V2.Report.class), new V2.Report(List.of(), V2.Mark.NONE, null, Map.of()));
    String constant =
        assertThrows(SerdeException.class, () -> Samples.value(of(V1.Report.class), none))
            .getMessage();
    assertTrue(constant.endsWith("known are [LOW, HIGH]"), constant);
  }

  @Test
  void anEnumAloneGrowsAtItsEndOnly() {
    enum Two {
      A,
      B
    }
    enum Three {
      A,
      B,
      C
    }
    String two = Serdes.enumeration(Two.class).schema();
    String three = Serdes.enumeration(Three.class).schema();
    assertTrue(Serdes.enumeration(Three.class).canRead(two));
    assertEquals(
        Optional.of(
            "the value was written as the position of a constant in [A, B, C], and is read as one"
                + " in [A, B]; constants can be added at the end only"),
        Serdes.obstacle(Serdes.enumeration(Two.class), three));
  }

  @Test
  void aNewNameWithTheNumberOfAnOldOneIsRefused() {
    // Found by trying names until two had the same 18 bits.
    Map<Integer, String> names = new HashMap<>();
    List<String> same = new ArrayList<>();
    for (int i = 0; same.isEmpty(); i++) {
      String name = "c" + i;
      String other = names.put(Names.number(name, Names.COMPONENT_BITS), name);
      if (other != null) {
        same.addAll(List.of(other, name));
      }
    }
    Schema before = SchemaParser.parse("T{" + same.get(0) + ":int}");
    Schema after = SchemaParser.parse("T{" + same.get(1) + ":int}");
    assertEquals(
        Optional.of(
            ("the new component %s of T gets the number in the bytes that %s had;"
                    + " give it another name")
                .formatted(same.get(1), same.get(0))),
        Evolution.obstacle(after, before.text()));
  }

  @Test
  void twoNamesOfOneRecordWithTheSameNumberAreRefused() {
    record Unlucky(int c311, int c431) {}
    assertEquals(
        Names.number("c311", Names.COMPONENT_BITS), Names.number("c431", Names.COMPONENT_BITS));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> Serdes.record(Unlucky.class))
            .getMessage()
            .startsWith("The components c311 and c431 of "));
  }

  @Test
  void aComponentThatStandsThereTwiceIsRefused() {
    record Target(int a, int b) {}
    BytesWriter out = new BytesWriter();
    out.writeByte(1);
    out.writeByte(2);
    tag(out, "a", TypeCode.INT);
    tag(out, "a", TypeCode.INT);
    out.writeByte(0);
    assertEquals(
        "Target.a stands there twice",
        assertThrows(
                SerdeException.class,
                () -> Samples.value(Serdes.record(Target.class), out.toByteArray()))
            .getMessage());
  }
}
