package dev.millrace.internal.engine.operators.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.KeyedValue;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.TestSerdes;
import dev.millrace.internal.engine.operators.join.TableJoinOperator;
import dev.millrace.internal.engine.operators.table.AggregateOperator;
import dev.millrace.internal.engine.operators.table.TickOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a tick comes to, of values of all kinds: also of those that are equal to none but
/// themselves.
class NetRowsTest {
  private static final Bytes KEY = Bytes.ofUtf8("k");

  /// Numbers in an array, which has no `equals`.
  private static final class Numbers implements Serde<Object> {
    @Override
    public String id() {
      return "numbers";
    }

    @Override
    public void write(Object value, BytesWriter out) {
      for (long number : (long[]) value) {
        out.writeLong(number);
      }
    }

    @Override
    public Object read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      long[] numbers = new long[in.length() / Long.BYTES];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = reader.readLong();
      }
      return numbers;
    }
  }

  private static Declaration sums() {
    Aggregation sum =
        Aggregation.fold(
            () -> new long[1],
            (aggregate, value) -> {
              ((long[]) aggregate)[0] += (Long) value;
              return aggregate;
            });
    return TickOperator.declare(
        "t",
        AggregateOperator.declare("t", sum, TestSerdes.STRING, new Numbers()),
        10,
        TestSerdes.STRING,
        List.of(TestSerdes.LONG));
  }

  private static Row plus(long value, long time) {
    return new Row(KEY, value, time);
  }

  @Test
  void valuesWithoutEqualsComeToOneChange() {
    Bench sums = new Bench(sums(), TestSerdes.STRING);
    sums.process(List.of(plus(1, 3)));
    sums.advance(10, 100);
    sums.process(List.of(plus(2, 12), plus(4, 14), plus(8, 16)));
    sums.advance(20, 100);
    List<Row> out = sums.out();
    assertEquals(3, out.size());
    assertRow(out.get(0), 1, 9, false);
    assertRow(out.get(1), 1, 19, true);
    assertRow(out.get(2), 15, 19, false);

    Bench join =
        new Bench(
            TableJoinOperator.declare(
                "j",
                TestSerdes.STRING,
                List.of(new Numbers(), TestSerdes.STRING),
                (left, _) -> left == null ? null : ((long[]) left)[0]),
            TestSerdes.STRING);
    join.process(0, out);
    assertEquals(List.of(new Row(KEY, 15L, 19)), join.out());
  }

  private static void assertRow(Row row, long value, long time, boolean retraction) {
    assertArrayEquals(new long[] {value}, (long[]) row.value());
    assertEquals(
        new Row(KEY, 0, time, retraction),
        new Row(row.key(), 0, row.timestamp(), row.retraction()));
  }

  @Test
  void entriesThatReferToOneKeyAreApart() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      TreeMap<String, long[]> entries = new TreeMap<>();
      TreeMap<String, Long> view = new TreeMap<>();
      NetRows net = new NetRows(result -> Bytes.ofUtf8((String) ((KeyedValue) result).key()));
      for (int tick = 0; tick < 10; tick++) {
        for (int i = random.nextInt(8); i > 0; i--) {
          String key = "e" + random.nextInt(3);
          long[] before = entries.remove(key);
          if (before != null) {
            net.retract(KEY, new KeyedValue(key, before.clone()), i);
          }
          if (before == null || random.nextInt(3) > 0) {
            long[] now = {random.nextInt(100)};
            entries.put(key, now);
            net.emit(KEY, new KeyedValue(key, now.clone()), i);
          }
        }
        List<Row> out = emitted(net);
        List<Row> sorted = new ArrayList<>(out);
        sorted.sort((a, b) -> Boolean.compare(b.retraction(), a.retraction()));
        assertEquals(sorted, out);
        for (Row row : out) {
          KeyedValue keyed = (KeyedValue) row.value();
          Long number = ((long[]) keyed.value())[0];
          assertEquals(
              row.retraction() ? number : null,
              row.retraction() ? view.remove(keyed.key()) : view.put((String) keyed.key(), number));
        }
        TreeMap<String, Long> expected = new TreeMap<>();
        entries.forEach((key, value) -> expected.put(key, value[0]));
        assertEquals(expected, view);
      }
    }
  }

  @Test
  void whatAKeyHadAndHasAgainIsNoChange() {
    NetRows net = new NetRows(_ -> null);
    net.retract(KEY, "a", 1);
    net.emit(KEY, "b", 1);
    net.retract(KEY, "b", 2);
    net.emit(KEY, "a", 2);
    assertEquals(List.of(), emitted(net));
  }

  @Test
  void allResultsOfAKeyStayInTheirOrder() {
    NetRows net = new NetRows(_ -> null);
    List<Row> expected = new ArrayList<>();
    for (String value : List.of("b", "a", "b")) {
      for (String key : List.of("k", "l")) {
        net.emit(Bytes.ofUtf8(key), value, 1);
        expected.add(new Row(Bytes.ofUtf8(key), value, 9));
      }
    }
    assertEquals(expected, emitted(net));
  }

  private static List<Row> emitted(NetRows net) {
    List<Row> out = new ArrayList<>();
    net.emit(
        9,
        new RowSink() {
          @Override
          public void emit(Object value, long timestamp) {
            throw new AssertionError("There is no current row.");
          }

          @Override
          public void emit(@Nullable Bytes keyBytes, Object value, long timestamp) {
            out.add(new Row(keyBytes, value, timestamp));
          }

          @Override
          public boolean wantsRetractions() {
            return true;
          }

          @Override
          public void retract(@Nullable Bytes keyBytes, Object value, long timestamp) {
            out.add(new Row(keyBytes, value, timestamp, true));
          }
        });
    return out;
  }
}
