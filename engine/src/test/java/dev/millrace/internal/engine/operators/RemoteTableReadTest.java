package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.outside.RemoteTableOperators;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Each row meets what the table has for its key, once and in its order, whatever becomes of the
/// calls.
class RemoteTableReadTest {
  private static final Map<Object, String> TABLE = Map.of("a", "one", "b", "two");

  @Test
  void eachRowMeetsWhatTheTableHasForTheKeyOfItsValue() {
    for (long seed = 1; seed <= 200; seed++) {
      for (boolean inner : new boolean[] {false, true}) {
        new Drawn(seed, inner, false).run();
      }
    }
  }

  @Test
  void eachRowMeetsWhatTheTableHasForItsOwnKey() {
    for (long seed = 1; seed <= 200; seed++) {
      new Drawn(seed, true, true).run();
    }
  }

  /// A run with what is drawn from a seed. Values begin with the key that they refer to; those that
  /// begin with a dash refer to none.
  private static final class Drawn {
    private final String run;
    private final Random random;
    private final boolean inner;
    private final boolean byOwnKey;
    private final Bench bench;
    private final List<Row> sent = new ArrayList<>();
    private boolean askedForNothing;

    Drawn(long seed, boolean inner, boolean byOwnKey) {
      run = "seed %d, inner %b, by own key %b".formatted(seed, inner, byOwnKey);
      random = new Random(seed);
      this.inner = inner;
      this.byOwnKey = byOwnKey;
      Call<Object, Object> get =
          seed % 2 == 0
              ? Call.<Object, Object>batched(3, keys -> keys.stream().map(this::find).toList())
              : Call.blocking(this::find);
      get = get.inFlight(4).timeout(Duration.ofSeconds(1)).retries(1_000, Duration.ofMillis(100));
      get = seed % 3 == 0 ? get.cache(2, Duration.ofSeconds(2)) : get;
      RemoteTableOperators.KeyOfRow keyOf =
          byOwnKey
              ? (key, _) -> TestSerdes.STRING.read(key)
              : (_, value) -> value.toString().startsWith("-") ? null : first(value.toString());
      bench =
          new Bench(
              RemoteTableOperators.read(
                  "join 'j'",
                  "j",
                  get,
                  TestSerdes.STRING,
                  keyOf,
                  (row, found) -> inner && found == null ? null : row + "+" + found),
              TestSerdes.STRING);
    }

    private static String first(String text) {
      return text.substring(0, 1);
    }

    private Object find(Object key) {
      askedForNothing |= key.equals("-");
      if (random.nextInt(4) == 0) {
        throw new IllegalStateException("not now");
      }
      return TABLE.get(key);
    }

    void run() {
      for (int step = 0; step < 30; step++) {
        List<Row> rows = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          String key = "abc".substring(random.nextInt(3)) + random.nextInt(2);
          String value = first("abc-".substring(random.nextInt(4))) + sent.size() + "." + i;
          rows.add(
              new Row(
                  Bench.key(TestSerdes.STRING, byOwnKey ? first(key) : key),
                  value,
                  random.nextInt(1_000)));
        }
        sent.addAll(rows);
        bench.process(rows);
        bench.fakeCalls().go(random, 3, random.nextInt(800));
        bench.poll();
        if (random.nextInt(5) == 0) {
          bench.reopen();
        }
      }
      for (int step = 0; bench.async().isWaiting(); step++) {
        assertTrue(step < 5_000, run + ": rows wait for ever");
        bench.fakeCalls().go(random, 10, 500);
        bench.poll();
      }
      assertEquals(byKey(sent, this::joined), byKey(bench.out(), Row::value), run);
      assertEquals(0, bench.stored("j-waiting").size(), run);
      assertEquals(false, askedForNothing, run);
    }

    /// What a look into the table gives; null if no row.
    private Object joined(Row row) {
      String key = byOwnKey ? (String) TestSerdes.STRING.read(row.key()) : first("" + row.value());
      String found = TABLE.get(key);
      return inner && found == null ? null : row.value() + "+" + found;
    }

    private static Map<Bytes, List<String>> byKey(List<Row> rows, Function<Row, Object> result) {
      Map<Bytes, List<String>> all = new HashMap<>();
      for (Row row : rows) {
        Object value = result.apply(row);
        if (value != null) {
          all.computeIfAbsent(row.key(), _ -> new ArrayList<>())
              .add(value + " at " + row.timestamp());
        }
      }
      return all;
    }
  }
}
