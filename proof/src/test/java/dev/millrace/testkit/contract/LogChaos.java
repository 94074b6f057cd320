package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Log;
import dev.millrace.spi.Log.OpenTransaction;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.contract.WriterHistory.Verdict;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.log.ModelSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One run of writers and a reader in processes that are cut off and crash, on a log with faults.
final class LogChaos {
  private static final int STEPS = 150;
  private static final String READER = "reader";
  private static final List<String> WRITERS = List.of("writer-one", "writer-two");
  private static final List<String> IDS = List.of("a", "b", "c");

  private final Seed seed;
  private final ModelLog log;
  private final List<Split> splits = new ArrayList<>();
  private final WriterHistory history = new WriterHistory();
  private final TreeMap<String, RandomWriters> writers = new TreeMap<>();
  private final TreeMap<Split, Long> stableEnds = new TreeMap<>();
  private final TreeMap<Split, List<ModelRecord>> read = new TreeMap<>();
  private final TreeMap<Split, Position> positions = new TreeMap<>();
  private final Duration timeout;
  private SplitReader reader;
  private long untold;
  private int hung;

  LogChaos(long number) {
    seed = new Seed(number);
    Seed drawing = seed.fork("settings");
    ModelSettings settings =
        ModelSettings.defaults()
            .withMarkers(
                drawing.pick(
                    List.of(
                        Delay.NONE,
                        Delay.upTo(Duration.ofMillis(5)),
                        new Delay(0.3, Duration.ofMillis(1), Duration.ofSeconds(1)))))
            .withBatchRecords(drawing.between(1, 20))
            .withEpochs(drawing.pick(List.of(4, 6, 32_767)));
    log = ModelLog.of(number, settings);
    log.createTopic(new TopicSpec("topic", 3, -1, Map.of()));
    for (int i = 0; i < 3; i++) {
      splits.add(new Split("topic", i));
    }
    log.faults(Faults.drawn(drawing));
    timeout = Duration.ofMillis(drawing.pick(List.of(300, 2_000, 60_000)));
    WRITERS.forEach(this::startWriters);
    startReader();
  }

  WriterHistory history() {
    return history;
  }

  /// How many transactions ended without anybody being told how.
  long untold() {
    return untold;
  }

  long traceHash() {
    return log.traceHash();
  }

  /// The last of what happened, for messages.
  String story() {
    return "\n  " + String.join("\n  ", log.trace().tail(60));
  }

  private void startWriters(String process) {
    Seed own = seed.fork(process + writers.size() + log.trace().count());
    Log client = log.client(process);
    writers.put(
        process, new RandomWriters(own, client, splits, IDS, own.between(1, 2), timeout, history));
  }

  private void startReader() {
    reader = log.client(READER).reader("reader");
    for (Split split : splits) {
      reader.add(split, positions.getOrDefault(split, Position.of(0)));
    }
  }

  void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
      checkStableEnds();
    }
    settle();
    Map<Split, List<ModelRecord>> seen = new TreeMap<>();
    for (Split split : splits) {
      seen.put(split, log.records(split.stream(), split.partition()));
      assertEquals(List.of(), log.undecided(split.stream(), split.partition()));
    }
    untold = history.count(Verdict.EITHER);
    history.check(seen);
    readAll(seen);
    for (String id : IDS) {
      Map<Split, Long> group = log.committedPositions(RandomWriters.group(id));
      history.checkPosition(id, group.getOrDefault(splits.getFirst(), -1L));
    }
    assertEquals(0, log.batchesOut(READER));
  }

  private void step() {
    int draw = seed.below(100);
    String process = seed.pick(WRITERS);
    if (draw < 55) {
      writers.get(process).step();
    } else if (draw < 75) {
      read();
    } else if (draw < 90) {
      log.advance(seed.between(Duration.ZERO, Duration.ofMillis(seed.pick(List.of(1, 20, 600)))));
    } else if (draw < 92) {
      log.crash(process);
      writers.get(process).forget();
      startWriters(process);
    } else if (draw < 93) {
      log.crash(READER);
      startReader();
    } else if (draw < 95) {
      String cut = seed.coin() ? process : READER;
      boolean requests = seed.coin();
      log.cut(cut, requests, !requests || seed.coin());
    } else if (draw < 98) {
      log.heal(seed.coin() ? process : READER);
    } else if (draw < 99) {
      log.electLeader(seed.pick(splits));
    } else {
      hang();
    }
  }

  private void hang() {
    log.hang(seed.pick(splits), "gone", null, "hanging/" + hung++);
  }

  /// Takes a batch and goes on behind it, or after a crash somewhere inside it.
  private void read() {
    RecordBatch batch = reader.poll(Duration.ofSeconds(1));
    if (batch == null) {
      return;
    }
    Split split = batch.split();
    List<ModelRecord> records = ModelRecord.listOf(batch);
    int used = seed.chance(0.1) ? seed.between(0, records.size()) : records.size();
    read.computeIfAbsent(split, key -> new ArrayList<>()).addAll(records.subList(0, used));
    positions.put(split, batch.position(used));
    batch.release();
    if (used < records.size()) {
      reader.remove(split);
      reader.add(split, positions.get(split));
    }
  }

  private void checkStableEnds() {
    for (Map.Entry<Split, Log.Offsets> entry : log.offsets(splits).entrySet()) {
      Log.Offsets now = entry.getValue();
      long before = stableEnds.getOrDefault(entry.getKey(), 0L);
      assertTrue(
          before <= now.stableEnd() && now.stableEnd() <= now.end(),
          () -> entry.getKey() + " went from stable end " + before + " to " + now);
      stableEnds.put(entry.getKey(), now.stableEnd());
    }
  }

  /// Ends all faults, then everything that is open.
  private void settle() {
    log.calm();
    boolean done = false;
    for (int i = 0; i < 200 && !done; i++) {
      done = true;
      for (RandomWriters some : writers.values()) {
        done &= some.finish();
      }
      log.advance(Duration.ofMillis(50));
    }
    assertTrue(done, "The writers never came to an end.");
    for (String id : IDS) {
      TransactionalWriter last = log.writer(id, Duration.ofSeconds(1));
      last.open();
      last.close();
    }
    for (Split split : splits) {
      for (OpenTransaction open : log.openTransactions(split)) {
        if (open.transactionalId().equals("gone")) {
          log.abortHanging(split, open);
        }
      }
    }
    log.advance(Duration.ofSeconds(10));
    checkStableEnds();
  }

  /// Reads to the end, and finds what the log says is there.
  private void readAll(Map<Split, List<ModelRecord>> seen) {
    for (int i = 0; i < 20_000 && !isReadToTheEnd(); i++) {
      read();
    }
    for (Split split : splits) {
      assertEquals(seen.get(split), read.getOrDefault(split, List.of()), "Read from " + split);
    }
  }

  private boolean isReadToTheEnd() {
    return splits.stream()
        .allMatch(split ->
            positions.containsKey(split) && positions.get(split).offset() == stableEnds.get(split)
                || stableEnds.get(split) == 0);
  }
}
