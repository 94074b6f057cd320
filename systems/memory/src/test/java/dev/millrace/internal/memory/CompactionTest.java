package dev.millrace.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compacted topics: what they keep, what that takes, and what readers get meanwhile.
class CompactionTest {
  private static final Split CHANGES = new Split("changes", 0);
  private static final String FILLER = "x".repeat(200);
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final MemoryStore store = new MemoryStore();
  private final Log log = store.connect();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @AfterEach
  void close() {
    store.close();
  }

  /// What the writer has committed, by key.
  private final Map<String, String> state = new TreeMap<>();

  private void create(long tombstonesMillis) {
    log.createTopic(
        new TopicSpec(
            CHANGES.stream(),
            1,
            -1,
            Map.of(
                "cleanup.policy",
                "compact",
                "delete.retention.ms",
                Long.toString(tombstonesMillis))));
  }

  /// Commits some changes of random keys; aborts others.
  ///
  /// @param keys of how many keys
  /// @param offset of the first key
  /// @return the bytes that were committed
  private long change(TransactionalWriter writer, SplittableRandom random, int keys, int offset) {
    Map<String, String> changed = new TreeMap<>();
    RecordBatch batch = RecordBatch.create();
    long bytes = 0;
    for (int i = 0; i < 100; i++) {
      String key = "key-" + (offset + random.nextInt(keys));
      String value = random.nextInt(3) == 0 ? null : random.nextInt() + FILLER;
      Texts.add(batch, key, value);
      changed.put(key, String.valueOf(value));
      bytes += value == null ? 10 : 210;
    }
    writer.send(CHANGES, batch);
    if (random.nextInt(5) == 0) {
      writer.abort();
      assertEquals(Outcome.ABORTED, writer.outcome());
      return 0;
    }
    writer.commit();
    assertEquals(Outcome.COMMITTED, writer.outcome());
    changed.forEach((key, value) -> {
      if (value.equals("null")) {
        state.remove(key);
      } else {
        state.put(key, value);
      }
    });
    return bytes;
  }

  private TransactionalWriter writer() {
    TransactionalWriter writer = log.writer("changes", TIMEOUT);
    writer.open();
    return writer;
  }

  /// A log that keeps everything fails this, and so does one that never drops tombstones.
  @Test
  void memoryIsThatOfTheLastValuesHoweverMuchWasWritten() {
    create(0);
    TransactionalWriter writer = writer();
    SplittableRandom random = new SplittableRandom(1);
    long written = 0;
    for (int i = 0; i < 10_000; i++) {
      // Keys come and go, so that there are more of them than could be kept.
      written += change(writer, random, 1_000, i * 10);
      if (i % 100 == 0) {
        // What went away for good is deleted by its owner.
        long kept = store.bytes();
        assertTrue(kept < 12 << 20, kept + " bytes are kept of " + written);
        forget(writer, i * 10);
      }
    }
    assertTrue(written > 100L << 20, "only " + written + " bytes were written");
  }

  /// Deletes the keys below a number.
  private void forget(TransactionalWriter writer, int below) {
    RecordBatch batch = RecordBatch.create();
    for (int i = Math.max(0, below - 2_500); i < below; i++) {
      if (state.remove("key-" + i) != null) {
        Texts.add(batch, "key-" + i, null);
      }
    }
    writer.send(CHANGES, batch);
    writer.commit();
    assertEquals(Outcome.COMMITTED, writer.outcome());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whoeverReadsWhileItIsCompactedHasTheLastValuesInTheEnd(long seed)
      throws InterruptedException {
    create(0);
    SplittableRandom random = new SplittableRandom(seed);
    AtomicBoolean written = new AtomicBoolean();
    List<Map<String, String>> read = new ArrayList<>();
    List<Thread> readers = new ArrayList<>();
    TransactionalWriter writer = writer();
    SplittableRandom changes = random.split();
    for (int i = 0; i < 3_000; i++) {
      change(writer, changes, 2_000, i);
      if (i % 200 == 0) {
        Map<String, String> into = new TreeMap<>();
        read.add(into);
        SplittableRandom own = random.split();
        readers.add(start(() -> read(into, own, written)));
      }
    }
    written.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    for (Map<String, String> each : read) {
      assertEquals(state, each);
    }
    assertTrue(store.bytes() < 8 << 20, store.bytes() + " bytes");
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

  private void read(Map<String, String> into, SplittableRandom random, AtomicBoolean written) {
    try (SplitReader reader = log.reader("reader")) {
      reader.add(CHANGES, Position.of(0));
      long next = 0;
      while (true) {
        boolean over = written.get();
        RecordBatch batch = reader.poll(Duration.ofMillis(1));
        if (batch == null) {
          if (over
              && next == Objects.requireNonNull(log.offsets(List.of(CHANGES)).get(CHANGES)).end()) {
            return;
          }
          continue;
        }
        for (int i = 0; i < batch.size(); i++) {
          String key = String.valueOf(Texts.key(batch, i));
          String value = Texts.value(batch, i);
          if (value == null) {
            into.remove(key);
          } else {
            into.put(key, value);
          }
        }
        next = batch.nextOffset();
        batch.release();
        if (random.nextInt(4) == 0) {
          sleep(random.nextInt(8));
        }
      }
    }
  }

  private static void sleep(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTombstoneIsKeptForTheTimeThatTheTopicSays() {
    create(Duration.ofHours(1).toMillis());
    TransactionalWriter writer = writer();
    writer.send(CHANGES, Texts.one("gone", "value"));
    writer.commit();
    assertEquals(Outcome.COMMITTED, writer.outcome());
    writer.send(CHANGES, Texts.one("gone", null));
    writer.commit();
    assertEquals(Outcome.COMMITTED, writer.outcome());
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 500; i++) {
      change(writer, random, 100, 0);
    }
    int tombstones = 0;
    int values = 0;
    try (SplitReader reader = log.reader("reader")) {
      reader.add(CHANGES, Position.of(0));
      for (RecordBatch batch = reader.poll(Duration.ZERO);
          batch != null;
          batch = reader.poll(Duration.ZERO)) {
        for (int i = 0; i < batch.size(); i++) {
          if ("gone".equals(Texts.key(batch, i))) {
            tombstones += batch.hasValue(i) ? 0 : 1;
            values += batch.hasValue(i) ? 1 : 0;
          }
        }
        batch.release();
      }
    }
    assertEquals(1, tombstones);
    assertEquals(0, values, "it was compacted");
  }

  @Test
  void offsetsAndTheEndStayAsTheyAre() {
    create(0);
    TransactionalWriter writer = writer();
    SplittableRandom random = new SplittableRandom(7);
    long end = 0;
    for (int i = 0; i < 500; i++) {
      change(writer, random, 50, 0);
      end += 101; // the records and the end of their transaction
    }
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(CHANGES)).get(CHANGES));
    assertEquals(new Log.Offsets(0, end, end), offsets);
  }
}
