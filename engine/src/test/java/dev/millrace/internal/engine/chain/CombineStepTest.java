package dev.millrace.internal.engine.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.TypeRef;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Combiner;
import dev.millrace.internal.engine.operators.Counted;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.FixedWindows;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is sent of the rows of a batch.
class CombineStepTest {
  /// Of ten milliseconds every four: the parts of time are two milliseconds long.
  private static final FixedWindows WINDOWS = new FixedWindows(10, 4, 0);

  private static final long SLICE = 2;

  /// Keys of which each two have the same hash.
  private static final List<String> ALIKE =
      List.of("user-687486", "user-1004232", "user-682928", "user-1018339");

  private final Step.Place place = new Step.Place(new Probe(1));
  private final Rows rows = new Rows();
  private final List<Sent> sent = new ArrayList<>();

  private record Sent(String key, Object aggregate, long rows, long timestamp) {}

  private record Group(String key, long slice) {}

  /// What a group comes to.
  private record Whole(String values, long earliest) {
    Whole and(String value, long time) {
      return new Whole(values + value, Math.min(earliest, time));
    }

    Whole and(Whole other) {
      return and(other.values, other.earliest);
    }
  }

  @SuppressWarnings("unchecked") // a serde as topologies carry it
  private static Serde<Object> untyped(Serde<?> serde) {
    return (Serde<Object>) serde;
  }

  /// A value is its key, a colon and what is aggregated.
  private static Object key(Object value) {
    String text = value.toString();
    return text.substring(0, text.indexOf(':'));
  }

  private static String rest(Object value) {
    String text = value.toString();
    return text.substring(text.indexOf(':') + 1);
  }

  private Step step(Aggregation aggregation, Serde<?> aggregates) {
    return step(CombineStepTest::key, aggregation, aggregates);
  }

  private Step step(Mapper<Object, Object> newKey, Aggregation aggregation, Serde<?> aggregates) {
    Declaration unused = new Declaration(() -> null, List.of(), Parameters.NONE);
    Step step =
        new CombineStep(
            place,
            new Node.Combine(
                1,
                new Node.Merge(0, List.of(), null),
                "by-key",
                newKey,
                untyped(Serdes.string()),
                "fold 'sums'",
                Combiner.inWindows(aggregation, WINDOWS, untyped(aggregates), unused)));
    step.then(
        new Step("sent", place) {
          @Override
          void apply(Rows all) {
            Bytes key = new Bytes();
            for (int i = 0; i < all.size(); i++) {
              assertTrue(all.key(i, key));
              Counted counted = (Counted) all.value(i);
              sent.add(
                  new Sent(key.toUtf8(), counted.aggregate(), counted.rows(), all.timestamp(i)));
            }
          }
        });
    return step;
  }

  private Step joining() {
    return step(
        Aggregation.fold(() -> "", (before, value) -> before + rest(value)), Serdes.string());
  }

  private void add(String value, long timestamp) {
    rows.addOwn(null, value, timestamp, ResultOrigins.UNKNOWN);
  }

  @Test
  void rowsOfAKeyAndAStretchOfTimeBecomeOne() {
    Step step = joining();
    rows.startMade(null);
    add("a:1", 5);
    add("b:2", 4);
    add("a:3", 4);
    add("a:4", 6);
    add("a:5", 5);
    step.process(rows);
    assertEquals(
        List.of(new Sent("a", "135", 3, 4), new Sent("b", "2", 1, 4), new Sent("a", "4", 1, 6)),
        sent);
  }

  @Test
  void keysWhoseHashesAreTheSameStayApart() {
    for (int i = 0; i < ALIKE.size(); i += 2) {
      Bytes one = Bytes.ofUtf8(ALIKE.get(i));
      Bytes other = Bytes.ofUtf8(ALIKE.get(i + 1));
      assertEquals(
          Partitioner.hash(one.array(), one.offset(), one.length()),
          Partitioner.hash(other.array(), other.offset(), other.length()));
      Step step = joining();
      rows.startMade(null);
      add(one.toUtf8() + ":1", 1);
      add(other.toUtf8() + ":2", 1);
      add(one.toUtf8() + ":3", 1);
      add(other.toUtf8() + ":4", 1);
      sent.clear();
      step.process(rows);
      assertEquals(
          List.of(new Sent(one.toUtf8(), "13", 2, 1), new Sent(other.toUtf8(), "24", 2, 1)), sent);
    }
  }

  /// All that is sent for a key and a stretch of time, in its order, comes to what its rows come to
  /// in theirs, whatever the batches; a batch that is looked at sends one row for each of them.
  @ParameterizedTest
  @CsvSource({"1, 3", "2, 3", "7, 3", "100, 3", "2000, 20", "2000, 1500", "2000, 1000000"})
  void nothingIsLostOrDoubled(int batch, int keys) {
    Random random = new Random(batch + keys);
    Step step = joining();
    Map<Group, Whole> expected = new HashMap<>();
    long count = 0;
    for (int batches = 0; batches < 100; batches++) {
      rows.startMade(null);
      Set<Group> inBatch = new HashSet<>();
      for (int i = 0; i < batch; i++) {
        int number = random.nextInt(keys);
        String key = number < ALIKE.size() ? ALIKE.get(number) : "k" + number;
        long time = random.nextLong(-10, 10);
        String value = (char) ('a' + random.nextInt(26)) + "";
        add(key + ":" + value, time);
        Group group = new Group(key, Math.floorDiv(time, SLICE));
        inBatch.add(group);
        expected.merge(group, new Whole(value, time), Whole::and);
      }
      int before = sent.size();
      step.process(rows);
      int now = sent.size() - before;
      assertTrue(now == inBatch.size() || now == batch);
      count += batch;
    }
    Map<Group, Whole> found = new HashMap<>();
    for (Sent each : sent) {
      assertEquals(each.rows, each.aggregate.toString().length());
      found.merge(
          new Group(each.key, Math.floorDiv(each.timestamp, SLICE)),
          new Whole(each.aggregate.toString(), each.timestamp),
          Whole::and);
    }
    assertEquals(expected, found);
    assertEquals(count, sent.stream().mapToLong(Sent::rows).sum());
  }

  /// Where all keys differ, most batches go through as they are; where they begin to be alike, that
  /// is found.
  @Test
  void whatDoesNotPayIsTriedAgainLater() {
    Step step = joining();
    int tried = 0;
    for (int batch = 0; batch < 200; batch++) {
      rows.startMade(null);
      for (int i = 0; i < 10; i++) {
        add((batch < 40 ? "k" + i : "same") + ":x", 1);
      }
      int before = sent.size();
      step.process(rows);
      tried += batch >= 40 && sent.size() - before == 1 ? 1 : 0;
    }
    assertTrue(tried > 100, "tried " + tried);
  }

  @Test
  void whoFailedIsNamed() {
    Step step =
        step(
            Aggregation.fold(
                () -> 0L, (before, value) -> (Long) before + Long.parseLong(rest(value))),
            Serdes.forType(Long.class));
    rows.startMade(null);
    add("a:1", 1);
    add("a:x", 1);
    assertThrows(NumberFormatException.class, () -> step.process(rows));
    assertEquals("fold 'sums'", place.operator());
    assertEquals(1, rows.current);
    rows.startMade(null);
    add("a:1", 1);
    add("no key", 1);
    assertThrows(StringIndexOutOfBoundsException.class, () -> step.process(rows));
    assertEquals("exchange 'by-key'", place.operator());
    assertEquals(1, rows.current);
    rows.startMade(null);
    add("a:1", 1);
    add("a:2", 1);
    step.process(rows);
    assertEquals(List.of(new Sent("a", 3L, 2, 1)), sent, "nothing is left of those that failed");
  }

  /// The first value stands for itself in a reduction, and others may still read it.
  @Test
  void aValueThatOthersReadIsNotChanged() {
    List<List<String>> values =
        List.of(new ArrayList<>(List.of("a")), new ArrayList<>(List.of("b")));
    Serde<List<String>> lists = Serdes.forType(new TypeRef<List<String>>() {});
    Step step = step(_ -> "k", Aggregation.reduce(CombineStepTest::addAll), lists);
    rows.startMade(null);
    values.forEach(value -> rows.addOwn(null, value, 1, ResultOrigins.UNKNOWN));
    step.process(rows);
    assertEquals(List.of(new Sent("k", List.of("a", "b"), 2, 1)), sent);
    assertEquals(List.of(List.of("a"), List.of("b")), values);
  }

  @SuppressWarnings("unchecked") // lists of texts, by what is reduced
  private static Object addAll(Object one, Object other) {
    List<String> all = new ArrayList<>((List<String>) one);
    all.addAll((List<String>) other);
    if (one instanceof ArrayList<?>) {
      ((List<String>) one).clear();
    }
    return all;
  }
}
