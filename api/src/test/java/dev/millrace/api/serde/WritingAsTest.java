package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a newer version of a program writes for an older one is read by both. The two versions of a
/// record stand in two classes, and what the older one is expected to read is written down here.
class WritingAsTest {
  @SuppressWarnings("unchecked")
  private static <T> Serde<T> of(Class<T> type) {
    return (Serde<T>) Serdes.forType(type);
  }

  private static <N> Serde<N> writing(Class<N> now, Class<?> older) {
    return of(now).writingAs(of(older).schema()).orElseThrow();
  }

  private static <O, N> void assertBothRead(Class<N> now, N value, Class<O> older, O expected) {
    byte[] bytes = Samples.bytes(writing(now, older), value);
    assertEquals(expected, Samples.value(of(older), bytes), "the older version reads");
    assertEquals(value, Samples.value(of(now), bytes), "the newer version reads");
    assertEquals(value, Samples.value(writing(now, older), bytes), "the writer reads");
  }

  private static <N> void assertRefused(Class<N> now, N value, Class<?> older, String message) {
    Serde<N> writer = writing(now, older);
    SerdeException e = assertThrows(SerdeException.class, () -> Samples.bytes(writer, value));
    assertTrue(e.getMessage().contains(message), e.getMessage());
    assertTrue(
        e.getMessage().contains("once no older version of the application has to read it"),
        e.getMessage());
  }

  private record Visits(int n, String page) {}

  private record Counted(
      @Nullable String last, @Was("n") long visits, String page, List<String> tags) {}

  @Test
  void componentsThatWereRenamedWidenedAndAddedAreReadByTheOlderVersion() {
    assertBothRead(
        Counted.class,
        new Counted("x", 5, "home", List.of("a")),
        Visits.class,
        new Visits(5, "home"));
    assertBothRead(
        Counted.class, new Counted(null, 0, "", List.of()), Visits.class, new Visits(0, ""));
    assertRefused(
        Counted.class,
        new Counted(null, 1L << 31, "home", List.of()),
        Visits.class,
        "Counted.visits: 2147483648 cannot be written as int");
  }

  @Test
  void drawnValuesAreReadByBoth() {
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      int n = random.nextInt(4) == 0 ? 0 : random.nextInt();
      String page = "p" + random.nextInt(5);
      List<String> tags = random.nextBoolean() ? List.of() : List.of("t" + i);
      Counted value = new Counted(random.nextBoolean() ? null : "l", n, page, tags);
      assertBothRead(Counted.class, value, Visits.class, new Visits(n, page));
    }
  }

  private record Inner(short n) {}

  private record Outer(
      Inner one, List<Inner> list, Map<String, Inner> map, Inner[] array, Optional<Inner> some) {
    List<Object> parts() {
      return List.of(one, list, map, List.of(array), some);
    }
  }

  private record WideInner(@Was("n") int count, boolean more) {}

  private record WideOuter(
      @Was("one") @Nullable WideInner single,
      List<WideInner> list,
      Map<String, WideInner> map,
      WideInner[] array,
      Optional<WideInner> some,
      Set<WideInner> set) {
    List<@Nullable Object> parts() {
      List<@Nullable Object> parts = new ArrayList<>();
      parts.add(single);
      parts.addAll(List.of(list, map, List.of(array), some, set));
      return parts;
    }
  }

  @Test
  void partsAtAnyDepthAreWrittenAsTheOlderOnes() {
    WideInner two = new WideInner(-2, true);
    WideInner three = new WideInner(0, false);
    WideOuter value =
        new WideOuter(
            two,
            List.of(two, three),
            Map.of("a", three, "b", two),
            new WideInner[] {three, two},
            Optional.of(two),
            Set.of(two));
    byte[] bytes = Samples.bytes(writing(WideOuter.class, Outer.class), value);
    Inner oldTwo = new Inner((short) -2);
    Inner oldThree = new Inner((short) 0);
    assertEquals(
        List.of(
            oldTwo,
            List.of(oldTwo, oldThree),
            Map.of("a", oldThree, "b", oldTwo),
            List.of(oldThree, oldTwo),
            Optional.of(oldTwo)),
        Samples.value(of(Outer.class), bytes).parts());
    assertEquals(value.parts(), Samples.value(of(WideOuter.class), bytes).parts());
    assertRefused(
        WideOuter.class,
        new WideOuter(
            null,
            List.of(new WideInner(40_000, true)),
            Map.of(),
            new WideInner[0],
            Optional.empty(),
            Set.of()),
        Outer.class,
        "40000 cannot be written as short");
  }

  private record Leaf(int value, List<Leaf> children) {}

  private record Node(@Was("value") long weight, List<Node> children) {}

  @Test
  void recordsThatContainThemselvesAreWrittenAsTheOlderOnes() {
    assertBothRead(
        Node.class,
        new Node(1, List.of(new Node(2, List.of()), new Node(0, List.of(new Node(4, List.of()))))),
        Leaf.class,
        new Leaf(1, List.of(new Leaf(2, List.of()), new Leaf(0, List.of(new Leaf(4, List.of()))))));
  }

  private record OfInt(int n) {}

  private record OfBox(@Nullable Integer n) {}

  private record OfFloat(float n) {}

  private record OfDouble(double n) {}

  private record OfBoxedDouble(@Nullable Double n) {}

  @Test
  void whatTheOlderVersionCannotHoldIsRefused() {
    assertBothRead(OfBox.class, new OfBox(0), OfInt.class, new OfInt(0));
    assertBothRead(OfBox.class, new OfBox(7), OfInt.class, new OfInt(7));
    assertRefused(OfBox.class, new OfBox(null), OfInt.class, "null cannot be written as int");
    assertBothRead(OfDouble.class, new OfDouble(0.5), OfFloat.class, new OfFloat(0.5f));
    assertBothRead(OfDouble.class, new OfDouble(-0.0), OfFloat.class, new OfFloat(-0.0f));
    assertBothRead(OfDouble.class, new OfDouble(Double.NaN), OfFloat.class, new OfFloat(Float.NaN));
    assertBothRead(OfBoxedDouble.class, new OfBoxedDouble(-0.0), OfFloat.class, new OfFloat(-0.0f));
    assertRefused(OfDouble.class, new OfDouble(0.1), OfFloat.class, "0.1 cannot be written");
    assertRefused(OfDouble.class, new OfDouble(1e300), OfFloat.class, "cannot be written as float");
  }

  @Test
  void constantsAndRecordsThatTheOlderVersionLacksAreRefused() {
    record Before(V1.Mark mark) {}
    record After(V2.Mark mark) {}
    assertBothRead(After.class, new After(V2.Mark.LOW), Before.class, new Before(V1.Mark.LOW));
    assertRefused(After.class, new After(V2.Mark.NONE), Before.class, "the constant NONE");
    byte[] opened =
        Samples.bytes(writing(V2.Event.class, V1.Event.class), new V2.Opened("x", Instant.EPOCH));
    assertEquals(new V1.Opened("x"), Samples.value(of(V1.Event.class), opened));
    assertRefused(V2.Event.class, new V2.Moved("there"), V1.Event.class, "Moved is not one of");
  }

  @Test
  void sameSchemaIsTheSameSerdeAndUnreadableOnesHaveNone() {
    Serde<Visits> serde = of(Visits.class);
    assertSame(serde, serde.writingAs(serde.schema()).orElseThrow());
    assertEquals(Optional.empty(), of(OfInt.class).writingAs(of(OfDouble.class).schema()));
    assertEquals(Optional.empty(), Serdes.string().writingAs(Serdes.longs().schema()));
  }

  @Test
  void theSchemaIsTheOlderOneAndWhatIsReadIsTheSame() {
    Serde<Counted> writer = writing(Counted.class, Visits.class);
    assertEquals(of(Visits.class).schema(), writer.schema());
    assertEquals(Optional.empty(), Serdes.obstacle(writer, of(Counted.class).schema()));
    byte[] own = Samples.bytes(of(Counted.class), new Counted("x", 1L << 40, "p", List.of()));
    assertEquals(new Counted("x", 1L << 40, "p", List.of()), Samples.value(writer, own));
    assertEquals(
        of(Counted.class).schema(),
        writer.writingAs(of(Counted.class).schema()).orElseThrow().schema());
  }
}
