package dev.millrace.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads write in transactions that are committed, aborted or taken over by another one, while
/// others read. What readers got must be what writers were told, in their order.
class ManyThreadsTest {
  private static final String TOPIC = "numbers";
  private static final int PARTITIONS = 3;
  private static final int IDS = 3;
  private static final int TRANSACTIONS = 400;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final MemoryStore store = new MemoryStore();
  private final Log log = store.connect();

  /// What was committed, by split and the name of the writer's life.
  private final Map<Split, Map<String, List<String>>> committed = new ConcurrentHashMap<>();

  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void readersGetWhatWritersWereToldOnceAndInOrder(long seed) throws InterruptedException {
    log.createTopic(new TopicSpec(TOPIC, PARTITIONS, -1, Map.of()));
    SplittableRandom random = new SplittableRandom(seed);
    AtomicBoolean written = new AtomicBoolean();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < IDS; i++) {
      // Two threads have the same id, and bar each other.
      for (int life = 0; life < 2; life++) {
        String name = "writer-" + i + "." + life;
        String id = "id-" + i;
        SplittableRandom own = random.split();
        writers.add(start(() -> write(id, name, own)));
      }
    }
    List<Map<Split, List<String>>> read = new ArrayList<>();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Map<Split, List<String>> into = new TreeMap<>();
      SplittableRandom own = random.split();
      read.add(into);
      readers.add(start(() -> read(into, own, written)));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    for (int i = 0; i < IDS; i++) {
      log.writer("id-" + i, TIMEOUT).open(); // ends what was left open
    }
    written.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    read.forEach(this::check);
    assertFalse(committed.isEmpty());
  }

  private Thread start(Runnable action) {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            action.run();
          } catch (RuntimeException | Error e) { // outermost: the end of a thread
            failure.compareAndSet(null, e);
          }
        });
  }

  private void write(String id, String name, SplittableRandom random) {
    TransactionalWriter writer = log.writer(id, TIMEOUT);
    boolean open = false;
    int number = 0;
    for (int i = 0; i < TRANSACTIONS; i++) {
      if (!open) {
        writer = log.writer(id, TIMEOUT);
        writer.open();
        open = true;
      }
      Map<Split, List<String>> sent = new TreeMap<>();
      int batches = random.nextInt(6);
      for (int j = 0; j < batches; j++) {
        Split split = new Split(TOPIC, random.nextInt(PARTITIONS));
        RecordBatch batch = RecordBatch.create();
        int records = 1 + random.nextInt(5);
        for (int k = 0; k < records; k++) {
          String value = name + "/" + number++;
          Texts.add(batch, null, value);
          sent.computeIfAbsent(split, _ -> new ArrayList<>()).add(value);
        }
        writer.send(split, batch);
      }
      boolean commits = random.nextInt(4) > 0;
      if (commits) {
        writer.commit();
      } else {
        writer.abort();
      }
      Outcome outcome = writer.outcome();
      open = outcome != Outcome.FENCED;
      assertTrue(!open || outcome == (commits ? Outcome.COMMITTED : Outcome.ABORTED));
      if (outcome == Outcome.COMMITTED) {
        sent.forEach((split, values) ->
            committed
                .computeIfAbsent(split, _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(name, _ -> new ArrayList<>())
                .addAll(values));
      }
      if (random.nextInt(50) == 0) {
        open = false; // left as it is: whoever opens the id next aborts what is open
      }
    }
  }

  private void read(Map<Split, List<String>> into, SplittableRandom random, AtomicBoolean written) {
    Map<Split, Long> next = new TreeMap<>();
    try (SplitReader reader = log.reader("reader")) {
      for (int i = 0; i < PARTITIONS; i++) {
        Split split = new Split(TOPIC, i);
        reader.add(split, Position.of(0));
        into.put(split, new ArrayList<>());
        next.put(split, 0L);
      }
      while (true) {
        boolean over = written.get();
        RecordBatch batch = reader.poll(Duration.ofMillis(random.nextInt(3)));
        if (batch == null) {
          if (over && isAtEnd(next)) {
            return;
          }
          continue;
        }
        long before = next.getOrDefault(batch.split(), 0L);
        for (int i = 0; i < batch.size(); i++) {
          assertTrue(batch.offset(i) >= before, "an offset came twice");
          before = batch.offset(i) + 1;
          into.getOrDefault(batch.split(), List.of()).add(String.valueOf(Texts.value(batch, i)));
        }
        Split split = batch.split();
        Position position = batch.position(batch.size());
        next.put(split, position.offset());
        batch.release();
        if (random.nextInt(10) == 0) {
          reader.remove(split);
          reader.add(split, position);
        }
      }
    }
  }

  private boolean isAtEnd(Map<Split, Long> next) {
    return log.offsets(next.keySet()).entrySet().stream()
        .allMatch(each -> next.getOrDefault(each.getKey(), -1L) == each.getValue().end());
  }

  private void check(Map<Split, List<String>> read) {
    read.forEach((split, values) -> {
      Map<String, List<String>> byWriter = new TreeMap<>();
      for (String value : values) {
        String writer = value.substring(0, value.indexOf('/'));
        byWriter.computeIfAbsent(writer, _ -> new ArrayList<>()).add(value);
      }
      assertEquals(new TreeMap<>(committed.getOrDefault(split, Map.of())), byWriter);
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void ofTwoWritersOfOneIdOnlyTheLastOneCommits(int seed) throws InterruptedException {
    log.createTopic(new TopicSpec(TOPIC, 1, -1, Map.of()));
    Split split = new Split(TOPIC, 0);
    List<String> won = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      TransactionalWriter first = log.writer("id", TIMEOUT);
      first.open();
      String value = seed + "-" + i;
      first.send(split, Texts.one(null, value));
      Thread taker = start(() -> log.fence(List.of("id")));
      first.commit();
      if (first.outcome() == Outcome.COMMITTED) {
        won.add(value);
      }
      taker.join();
    }
    assertEquals(won, Texts.values(log, split));
  }

  @Test
  void aReaderThatWaitsIsToldAtOnce() throws InterruptedException {
    log.createTopic(new TopicSpec(TOPIC, 2, -1, Map.of()));
    Split split = new Split(TOPIC, 1);
    TransactionalWriter writer = log.writer("id", TIMEOUT);
    writer.open();
    List<String> read = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      AtomicBoolean polls = new AtomicBoolean();
      long next = 2L * i;
      Thread reader =
          start(() -> {
            try (SplitReader own = log.reader("reader")) {
              own.add(new Split(TOPIC, 0), Position.of(0));
              own.add(split, Position.of(next));
              polls.set(true);
              RecordBatch batch = own.poll(Duration.ofMinutes(5));
              read.add(batch == null ? "nothing" : String.valueOf(Texts.value(batch, 0)));
            }
          });
      while (!polls.get()) {
        Thread.onSpinWait();
      }
      writer.send(split, Texts.one(null, "value " + i));
      writer.commit();
      assertEquals(Outcome.COMMITTED, writer.outcome());
      assertTrue(reader.join(Duration.ofSeconds(30)), "it waits still");
      assertEquals("value " + i, read.getLast());
    }
  }
}
