package dev.millrace.testkit.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.millrace.spi.Log;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A model log with one topic, for tests that know it from inside.
final class LogFixture {
  static final Split ZERO = new Split("events", 0);
  static final Split ONE = new Split("events", 1);
  static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int ROUNDS = 1_000;

  final ModelLog log;

  LogFixture() {
    this(1, ModelSettings.defaults());
  }

  LogFixture(long seed, ModelSettings settings) {
    log = ModelLog.of(seed, settings);
    log.createTopic("events", 2);
  }

  TransactionalWriter open(String process, String id) {
    return open(log.client(process), id);
  }

  TransactionalWriter open(Log client, String id) {
    TransactionalWriter writer = client.writer(id, TIMEOUT);
    writer.open();
    return writer;
  }

  static RecordBatch batch(String... values) {
    RecordBatch batch = RecordBatch.create();
    for (String value : values) {
      add(batch, null, value);
    }
    return batch;
  }

  static RecordBatch keyed(String key, String value) {
    RecordBatch batch = RecordBatch.create();
    add(batch, key, value);
    return batch;
  }

  private static void add(RecordBatch batch, String key, String value) {
    batch.append(batch.size(), 1000);
    if (key != null) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      batch.key(bytes, 0, bytes.length);
    }
    if (value != null) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      batch.value(bytes, 0, bytes.length);
    }
  }

  /// Lets time pass until the outcome is known.
  Outcome outcome(TransactionalWriter writer) {
    for (int i = 0; i < ROUNDS; i++) {
      Outcome outcome = writer.outcome();
      if (outcome != Outcome.PENDING) {
        return outcome;
      }
      log.advance(Duration.ofMillis(100));
    }
    throw new AssertionError("The outcome stayed pending.");
  }

  void write(TransactionalWriter writer, Split to, String... values) {
    writer.send(to, batch(values));
    writer.commit();
    assertEquals(Outcome.COMMITTED, outcome(writer), writer::failure);
  }

  /// The committed values of a split, once markers had time to be written.
  List<String> values(Split split) {
    log.advance(Duration.ofSeconds(5));
    return log.records(split.stream(), split.partition()).stream()
        .map(ModelRecord::valueText)
        .toList();
  }

  Log.Offsets offsets(Split split) {
    return log.offsets(List.of(split)).get(split);
  }

  /// Reads until nothing more comes.
  static List<ModelRecord> drain(SplitReader reader) {
    List<ModelRecord> records = new ArrayList<>();
    RecordBatch batch = reader.poll(Duration.ZERO);
    for (int i = 0; batch != null; i++) {
      assertNotEquals(ROUNDS, i, "The reader never comes to an end.");
      records.addAll(ModelRecord.listOf(batch));
      batch.release();
      batch = reader.poll(Duration.ZERO);
    }
    return records;
  }
}
