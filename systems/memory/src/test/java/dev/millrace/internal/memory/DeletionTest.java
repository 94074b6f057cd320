package dev.millrace.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is deleted takes no memory any more.
class DeletionTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String FILLER = "x".repeat(1_000);

  private final MemoryStore store = new MemoryStore();
  private final Log log = store.connect();

  @AfterEach
  void close() {
    store.close();
  }

  private Split split(Map<String, String> settings) {
    log.createTopic(new TopicSpec("topic", 1, -1, settings));
    return new Split("topic", 0);
  }

  private TransactionalWriter writer() {
    TransactionalWriter writer = log.writer("id", TIMEOUT);
    writer.open();
    return writer;
  }

  private static void write(TransactionalWriter writer, Split split, int records) {
    RecordBatch batch = RecordBatch.create();
    for (int i = 0; i < records; i++) {
      Texts.add(batch, null, FILLER);
    }
    writer.send(split, batch);
    writer.commit();
    assertEquals(Outcome.COMMITTED, writer.outcome());
  }

  /// As an exchange is used: written, read, and deleted up to where it was read.
  @Test
  void anExchangeTakesWhatWasNotReadYet() {
    Split split = split(Map.of("retention.ms", "-1"));
    TransactionalWriter writer = writer();
    SplitReader reader = log.reader("reader");
    reader.add(split, Position.of(0));
    long most = 0;
    long read = 0;
    for (int i = 0; i < 2_000; i++) {
      write(writer, split, 100);
      RecordBatch batch = Objects.requireNonNull(reader.poll(Duration.ZERO));
      read += batch.size();
      // In the middle of a block, too.
      log.deleteBefore(Map.of(split, batch.nextOffset() - i % 3));
      batch.release();
      most = Math.max(most, store.bytes());
    }
    reader.close();
    assertEquals(200_000, read);
    assertTrue(most < 1 << 20, most + " bytes");
  }

  @Test
  void anAbortedTransactionTakesNothing() {
    Split split = split(Map.of());
    TransactionalWriter writer = writer();
    for (int i = 0; i < 1_000; i++) {
      RecordBatch batch = RecordBatch.create();
      for (int j = 0; j < 100; j++) {
        Texts.add(batch, null, FILLER);
      }
      writer.send(split, batch);
      writer.abort();
      assertEquals(Outcome.ABORTED, writer.outcome());
    }
    assertEquals(0, store.bytes());
    assertEquals(List.of(), Texts.values(log, split));
  }

  @Test
  void aTopicWithALimitKeepsItsNewestRecords() {
    Split split = split(Map.of("retention.bytes", "1000000"));
    TransactionalWriter writer = writer();
    for (int i = 0; i < 1_000; i++) {
      write(writer, split, 20);
    }
    assertTrue(store.bytes() <= 1_000_000, store.bytes() + " bytes");
    int left = Texts.values(log, split).size();
    assertTrue(left > 800 && left < 1_000, left + " records");
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    assertEquals(21_000, offsets.end());
  }

  @Test
  void aReaderOfWhatIsDeletedIsToldSo() {
    Split split = split(Map.of());
    TransactionalWriter writer = writer();
    write(writer, split, 10);
    SplitReader reader = log.reader("reader");
    reader.add(split, Position.of(2));
    log.deleteBefore(Map.of(split, 5L));
    LogException failure =
        assertThrows(LogException.class, () -> reader.poll(Duration.ofSeconds(10)));
    assertEquals(Kind.POSITION_LOST, failure.kind());
    assertEquals(split, failure.split());
    assertTrue(String.valueOf(failure.getMessage()).contains("begins at 5"), failure.getMessage());
    assertThrows(LogException.class, () -> reader.poll(Duration.ZERO), "it is said again");
    reader.remove(split);
    reader.add(split, Position.of(5));
    RecordBatch batch = Objects.requireNonNull(reader.poll(Duration.ZERO));
    assertEquals(5, batch.size());
    assertEquals(5, batch.offset(0));
    batch.release();
    reader.close();
  }
}
