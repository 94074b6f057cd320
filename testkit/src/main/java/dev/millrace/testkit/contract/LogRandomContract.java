package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The part of [LogContract] in which writers do whatever is drawn.
interface LogRandomContract {
  LogBench bench();

  @Test
  default void whatWritersWereToldIsWhatReadersSee() {
    for (int run = 0; run < bench().subject().randomRuns(); run++) {
      int seed = run;
      try {
        runRandomly(new Seed(seed));
      } catch (AssertionError failure) {
        throw new AssertionError("With seed " + seed + ": " + failure.getMessage(), failure);
      }
    }
  }

  private void runRandomly(Seed seed) {
    List<Split> splits = bench().twoSplits();
    List<String> ids = List.of(bench().uniqueName("one"), bench().uniqueName("two"));
    WriterHistory history = new WriterHistory();
    int count = seed.between(2, 3);
    RandomWriters writers =
        new RandomWriters(seed, bench().log(), splits, ids, count, LogBench.TIMEOUT, history);
    try (LogReading reading =
        new LogReading(bench(), bench().log().reader(bench().uniqueName("reader")))) {
      splits.forEach(split -> reading.reader().add(split, Position.of(0)));
      for (int i = 0; i < 100; i++) {
        writers.step();
        if (seed.chance(0.2)) {
          reading.step();
        }
        if (seed.chance(0.2)) {
          bench().subject().letTimePass();
        }
      }
      bench().eventually("all writers are done", writers::finish);
      ids.forEach(id -> bench().openWriter(id).close());
      Map<Split, List<ModelRecord>> seen = new TreeMap<>();
      for (Split split : splits) {
        seen.put(split, bench().records(split));
        reading.readRecords(split, seen.get(split).size());
        assertEquals(seen.get(split), reading.records(split), "Two readers");
      }
      history.check(seen);
    }
    for (String id : ids) {
      long position =
          bench()
              .log()
              .committedPositions(RandomWriters.group(id))
              .getOrDefault(splits.getFirst(), -1L);
      history.checkPosition(id, position);
    }
  }
}
