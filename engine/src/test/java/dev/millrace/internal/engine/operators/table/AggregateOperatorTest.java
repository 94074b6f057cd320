package dev.millrace.internal.engine.operators.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.Snapshot;
import dev.millrace.internal.engine.operators.TestSerdes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AggregateOperatorTest {

  record Total(long count, String last) {}

  record Holder(List<String> values) {}

  @Test
  void everyUpdateShowsTheAggregateAsItWasThen() {
    for (long seed = 1; seed <= 10; seed++) {
      Random random = new Random(seed);
      List<Row> rows = new ArrayList<>();
      List<Row> expected = new ArrayList<>();
      Map<String, List<String>> lists = new HashMap<>();
      for (int i = 0; i < 50; i++) {
        String key = DrawnKeys.text(random.nextInt(4));
        rows.add(new Row(Bytes.ofUtf8(key), "v" + i, i * 3));
        lists.computeIfAbsent(key, _ -> new ArrayList<>()).add("v" + i);
        expected.add(new Row(Bytes.ofUtf8(key), List.copyOf(lists.get(key)), i * 3));
      }
      for (int batch = 1; batch <= 50; batch++) {
        Aggregation fold = Aggregation.fold(ArrayList::new, AggregateOperatorTest::append);
        Bench kept = bench(fold, TestSerdes.CHANGING_LIST);
        Bench reopened = bench(fold, TestSerdes.CHANGING_LIST).reopening().readingAhead();
        for (int from = 0; from < rows.size(); from += batch) {
          List<Row> part = rows.subList(from, Math.min(rows.size(), from + batch));
          kept.process(part);
          reopened.process(part);
        }
        assertEquals(expected, kept.out(), "seed " + seed + " batch " + batch);
        assertEquals(expected, reopened.out(), "seed " + seed + " batch " + batch + " reopened");
        assertEquals(lists.size(), kept.stored("a").size());
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static Object append(Object list, Object value) {
    ((List<Object>) list).add(value);
    return list;
  }

  @Test
  void countsNeverLookAtValues() {
    Bench bench = bench(Aggregation.count(), TestSerdes.LONG);
    bench.process(List.of(new Row(Bytes.ofUtf8("a"), new Object(), 1)));
    bench.process(
        List.of(
            new Row(Bytes.ofUtf8("b"), new Object(), 2),
            new Row(Bytes.ofUtf8("a"), new Object(), 3)));
    assertEquals(List.of(1L, 1L, 2L), values(bench));
  }

  @Test
  void theFirstValueOfAReductionStandsForItself() {
    Bench bench = bench(Aggregation.reduce((a, b) -> "(" + a + b + ")"), TestSerdes.STRING);
    bench.process(
        List.of(
            new Row(Bytes.ofUtf8("k"), "a", 1),
            new Row(Bytes.ofUtf8("k"), "b", 2),
            new Row(Bytes.ofUtf8("k"), "c", 3)));
    assertEquals(List.of("a", "(ab)", "((ab)c)"), values(bench));
  }

  @Test
  void viewsAreKeptAsCopies() {
    Bench bench = bench(Aggregation.reduce((_, b) -> b), TestSerdes.untyped(Serdes.view()));
    byte[] array = {1, 2, 3};
    bench.process(List.of(new Row(Bytes.ofUtf8("k"), Bytes.of(array), 1)));
    array[0] = 9;
    bench.process(List.of(new Row(Bytes.ofUtf8("k"), Bytes.of(array), 1)));
    array[0] = 7;
    assertEquals(
        List.of(Bytes.of(new byte[] {1, 2, 3}), Bytes.of(new byte[] {9, 2, 3})), values(bench));
  }

  @Test
  void aFolderMeetsAtOnceWhatItsSerdeReadsBack() {
    Bench bench =
        bench(
            Aggregation.fold(ArrayList::new, AggregateOperatorTest::append),
            TestSerdes.untyped(Serdes.listOf(Serdes.string())));
    Row row = new Row(Bytes.ofUtf8("k"), "v", 1);
    bench.process(List.of(row));
    // Serdes read lists that cannot be changed.
    assertThrows(UnsupportedOperationException.class, () -> bench.process(List.of(row)));
  }

  @Test
  void onlyWhatCanChangeIsCopied() {
    Snapshot ofTotals = new Snapshot(TestSerdes.untyped(Serdes.record(Total.class)));
    Total total = new Total(1, "a");
    assertSame(total, ofTotals.of(total));
    Snapshot ofHolders = new Snapshot(TestSerdes.untyped(Serdes.record(Holder.class)));
    Holder holder = new Holder(new ArrayList<>(List.of("a")));
    Object copy = ofHolders.of(holder);
    assertNotSame(holder, copy);
    assertEquals(holder, copy);
    for (List<String> texts : List.of(List.of("a"), List.of("a", "b", "c"), List.<String>of())) {
      Holder constant = new Holder(texts);
      assertSame(constant, ofHolders.of(constant));
    }
    Holder view = new Holder(Collections.unmodifiableList(new ArrayList<>(List.of("a"))));
    assertNotSame(view, ofHolders.of(view));
  }

  private record Last(Bytes value, List<Bytes> all) {}

  /// Who has folded a view into a record or a list has not copied it.
  @Test
  void viewsInsideAnAggregateAreCopied() {
    byte[] array = {1, 2, 3};
    Bytes view = Bytes.of(array);
    Snapshot snapshot = new Snapshot(TestSerdes.untyped(Serdes.record(Last.class)));
    Object kept = snapshot.of(new Last(view, List.of(view)));
    array[0] = 9;
    Bytes was = Bytes.of(new byte[] {1, 2, 3});
    assertEquals(new Last(was, List.of(was)), kept);
  }

  private record Holders(int number, List<Holder> all) {}

  @Test
  void aListThatCannotBeChangedMayHoldWhatCan() {
    Snapshot snapshot = new Snapshot(TestSerdes.untyped(Serdes.record(Holders.class)));
    Holders constant = new Holders(1, List.of(new Holder(List.of("a")), new Holder(List.of())));
    assertSame(constant, snapshot.of(constant));
    List<String> texts = new ArrayList<>(List.of("a"));
    Holders changing = new Holders(2, List.of(new Holder(List.of()), new Holder(texts)));
    Holders copy = (Holders) snapshot.of(changing);
    texts.add("b");
    assertEquals(List.of("a"), copy.all().getLast().values());
  }

  private record Hen(Egg from) {}

  private record Egg(Hen of) {}

  @Test
  void recordsThatContainEachOtherAreCopied() {
    Snapshot snapshot = new Snapshot(TestSerdes.untyped(new HenSerde()));
    assertEquals(new Hen(new Egg(null)), snapshot.of(new Hen(null)));
  }

  /// Always reads the same.
  private static final class HenSerde implements Serde<Hen> {
    @Override
    public void write(Hen value, BytesWriter out) {}

    @Override
    public Hen read(Bytes in) {
      return new Hen(new Egg(null));
    }

    @Override
    public String id() {
      return "hen";
    }
  }

  @Test
  void noKeyAndNoResultAreBadInput() {
    Bench bench = bench(Aggregation.fold(() -> "", (_, _) -> null), TestSerdes.STRING);
    assertThrows(
        NullPointerException.class,
        () -> bench.process(List.of(new Row(Bytes.ofUtf8("a"), "v", 1))));
    assertThrows(
        IllegalArgumentException.class, () -> bench.process(List.of(new Row(null, "v", 1))));
    assertEquals(0, bench.stored("a").size());
  }

  private static List<Object> values(Bench bench) {
    return bench.out().stream().map(Row::value).toList();
  }

  private static Bench bench(Aggregation aggregation, Serde<Object> serde) {
    return new Bench(
            AggregateOperator.declare("a", aggregation, TestSerdes.STRING, serde),
            TestSerdes.STRING)
        .withoutRetractions();
  }
}
