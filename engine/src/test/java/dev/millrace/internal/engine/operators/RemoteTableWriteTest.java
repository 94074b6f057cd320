package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import dev.millrace.api.RemoteTable.Write;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.outside.RemoteTableOperators;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Writes fail, are repeated, and arrive after they were given up, and the operator is lost between
/// commits and in the middle of them; the last value of a key stays.
class RemoteTableWriteTest {

  @Test
  void theLastValueOfAKeyStaysWhereVersionsAreKept() {
    for (long seed = 1; seed <= 400; seed++) {
      Drawn drawn = new Drawn(seed, true);
      drawn.run();
      assertEquals(drawn.wanted(), drawn.database.values(), drawn.run);
    }
  }

  /// Which is why there are versions; and this test could fail.
  @Test
  void aRequestThatWasGivenUpAndArrivesLateWinsWhereVersionsAreNotKept() {
    int wrong = 0;
    for (long seed = 1; seed <= 400; seed++) {
      Drawn drawn = new Drawn(seed, false);
      drawn.run();
      wrong += drawn.wanted().equals(drawn.database.values()) ? 0 : 1;
    }
    assertTrue(wrong > 0, "Late requests changed nothing.");
  }

  @Test
  void aBatchHasAKeyOnce() {
    for (long seed = 1; seed <= 200; seed++) {
      Drawn drawn = new Drawn(seed, true).inBatches();
      drawn.run();
      assertEquals(drawn.wanted(), drawn.database.values(), drawn.run);
    }
  }

  /// What another system keeps, with requests that are on their way to it.
  private static final class Database {
    private record Request(Write<?, ?> write, CompletableFuture<Object> answer) {}

    private final boolean keepsVersions;
    private final Map<Object, Write<?, ?>> rows = new HashMap<>();
    private final List<Request> underWay = new ArrayList<>();

    Database(boolean keepsVersions) {
      this.keepsVersions = keepsVersions;
    }

    CompletableFuture<Object> send(Write<?, ?> write) {
      // One that cannot be taken back: whoever gives it up only does not hear of it any more.
      CompletableFuture<Object> answer = new CompletableFuture<>();
      underWay.add(new Request(write, answer));
      return answer.copy();
    }

    void write(Write<?, ?> write) {
      Write<?, ?> there = rows.get(write.key());
      if (!keepsVersions || there == null || there.version() < write.version()) {
        rows.put(write.key(), write);
      }
    }

    /// Some request arrives; its answer may be lost.
    void arrive(Random random) {
      if (!underWay.isEmpty()) {
        Request request = underWay.remove(random.nextInt(underWay.size()));
        if (random.nextInt(5) == 0) {
          request.answer.completeExceptionally(new IllegalStateException("refused"));
          return;
        }
        write(request.write);
        if (random.nextInt(5) == 0) {
          request.answer.completeExceptionally(new IllegalStateException("lost answer"));
        } else {
          request.answer.complete("done");
        }
      }
    }

    Map<Object, Object> values() {
      Map<Object, Object> values = new HashMap<>();
      rows.forEach((key, write) -> {
        if (write.value() != null) {
          values.put(key, write.value());
        }
      });
      return values;
    }
  }

  /// A run with what is drawn from a seed. The value of a row begins with its number among all; one
  /// that ends with a dash is written as null.
  private static final class Drawn {
    private final String run;
    private final Random random;
    private final Database database;
    private Bench bench;
    private final List<Row> sent = new ArrayList<>();

    /// How many rows were processed, how many of them when the commit began that is under way, and
    /// how many when the last one did that has taken place.
    private int processed;

    private int frozen;
    private int committed;
    private boolean committing;

    /// How much had come out when that commit began, and the last one.
    private int outFrozen;

    private int outCommitted;

    /// By key, the number of the row whose value was written last.
    private final Map<Object, Integer> written = new HashMap<>();

    /// By key, the version of what was written last.
    private final Map<Object, Long> versions = new HashMap<>();

    /// By number of the row.
    private final Map<Integer, Long> versionsOfRows = new HashMap<>();

    /// The first wrong request; what a call throws is repeated and not seen.
    private @Nullable AssertionError wrong;

    Drawn(long seed, boolean keepsVersions) {
      run = "seed " + seed;
      random = new Random(seed);
      database = new Database(keepsVersions);
      bench = bench(limited(Call.future(this::begin)));
    }

    Drawn inBatches() {
      bench = bench(limited(Call.batched(3, this::writeAll)));
      return this;
    }

    private static Call<Object, Object> limited(Call<Object, Object> put) {
      return put.inFlight(3).timeout(Duration.ofSeconds(1)).retries(1_000, Duration.ofMillis(100));
    }

    private static Bench bench(Call<Object, Object> put) {
      return new Bench(
          RemoteTableOperators.write(
              "put 'p'",
              "p",
              put,
              TestSerdes.STRING,
              TestSerdes.STRING,
              value -> value.toString().endsWith("-") ? null : value),
          TestSerdes.STRING);
    }

    private CompletableFuture<Object> begin(Object asked) {
      note(List.of(asked));
      return database.send((Write<?, ?>) asked);
    }

    private List<Object> writeAll(List<Object> asked) {
      note(asked);
      if (random.nextInt(5) == 0) {
        throw new IllegalStateException("refused");
      }
      asked.forEach(each -> database.write((Write<?, ?>) each));
      if (random.nextInt(5) == 0) {
        throw new IllegalStateException("lost answer");
      }
      return asked;
    }

    private void note(List<Object> asked) {
      try {
        Set<Object> keys = new HashSet<>();
        for (Object each : asked) {
          Write<?, ?> write = (Write<?, ?>) each;
          check(write);
          assertTrue(keys.add(write.key()), run + ": a batch with one key twice");
        }
      } catch (AssertionError e) {
        wrong = wrong == null ? e : wrong;
      }
    }

    /// Only what is committed is written, and nothing older than what was asked for before.
    private void check(Write<?, ?> write) {
      long before = versions.getOrDefault(write.key(), Long.MIN_VALUE);
      assertTrue(write.version() >= before, run + ": an older version follows: " + write);
      versions.put(write.key(), write.version());
      if (write.value() != null) {
        int number = Integer.parseInt(write.value().toString().replaceAll("[^0-9].*", ""));
        assertTrue(number < committed, run + ": written before its commit: " + write);
        int last = written.getOrDefault(write.key(), -1);
        assertTrue(number >= last, run + ": an older value follows: " + write);
        assertTrue(
            number == last || write.version() > before, run + ": one version twice: " + write);
        long version = versionsOfRows.computeIfAbsent(number, _ -> write.version());
        assertEquals(version, write.version(), run + ": another version when repeated");
        written.put(write.key(), number);
      }
    }

    private static boolean deletes(Row row) {
      return row.retraction() || row.value().toString().endsWith("-");
    }

    void run() {
      for (int step = 0; step < 60; step++) {
        if (random.nextInt(3) > 0) {
          process(random.nextInt(4), true);
        }
        work();
        disturb();
      }
      for (int step = 0; processed < sent.size() || committing || bench.async().isWaiting(); ) {
        assertTrue(++step < 5_000, run + ": rows wait for ever");
        process(10, false);
        work();
        commit();
      }
      bench.beforeCommit();
      while (!database.underWay.isEmpty()) {
        database.arrive(random);
      }
      List<String> wanted =
          sent.stream().filter(row -> !row.retraction()).map(Drawn::text).sorted().toList();
      assertEquals(wanted, bench.out().stream().map(Drawn::text).sorted().toList(), run);
    }

    private static String text(Row row) {
      return row.key() + " " + row.value() + " at " + row.timestamp();
    }

    private void work() {
      for (int i = random.nextInt(4); i > 0; i--) {
        database.arrive(random);
      }
      bench.fakeCalls().go(random, 10, random.nextInt(500));
      bench.poll();
      if (wrong != null) {
        throw wrong;
      }
    }

    private void disturb() {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> commit();
        case 3 -> lose();
        default -> {}
      }
    }

    /// Processes what was sent and lost, or what is new.
    private void process(int most, boolean more) {
      List<Row> rows = new ArrayList<>();
      while (rows.size() < most && (more || processed < sent.size())) {
        if (processed == sent.size()) {
          sent.add(draw(sent.size()));
        }
        rows.add(sent.get(processed++));
      }
      bench.process(rows);
    }

    private Row draw(int number) {
      String value = number + (random.nextInt(6) == 0 ? ".-" : ".");
      return new Row(
          Bench.key(TestSerdes.STRING, DrawnKeys.text(random.nextInt(3))),
          value,
          random.nextInt(1_000),
          random.nextInt(6) == 0);
    }

    private void commit() {
      if (!committing) {
        bench.beforeCommit();
        frozen = processed;
        outFrozen = bench.out().size();
        committing = true;
      } else {
        committed = frozen;
        outCommitted = outFrozen;
        committing = false;
        bench.afterCommit();
      }
    }

    private void lose() {
      bench.lose();
      committing = false;
      processed = committed;
      bench.out().subList(outCommitted, bench.out().size()).clear();
    }

    /// The last value of each key, by a look at all that was sent.
    Map<Object, Object> wanted() {
      Map<Object, Object> values = new HashMap<>();
      for (Row row : sent) {
        Object key = TestSerdes.STRING.read(row.key());
        if (deletes(row)) {
          values.remove(key);
        } else {
          values.put(key, row.value());
        }
      }
      return values;
    }
  }
}
