package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The tools of [LogContract] for one test: a log, and ways to write, read and wait.
final class LogBench implements AutoCloseable {
  /// The timestamp of records whose time does not matter.
  static final long TIME = 1_700_000_000_000L;

  /// After which the log aborts a transaction, if a test says nothing else.
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final LogUnderTest subject;
  private final Log log;
  private final List<Runnable> opened = new ArrayList<>();

  LogBench(LogUnderTest subject) {
    this.subject = subject;
    log = subject.connect();
  }

  LogUnderTest subject() {
    return subject;
  }

  Log log() {
    return log;
  }

  String uniqueName(String hint) {
    return subject.uniqueName(hint);
  }

  /// Creates a topic and waits until it can be used.
  String topic(int partitions, Map<String, String> settings) {
    String name = subject.uniqueName("topic");
    createTopic(name, partitions, settings);
    return name;
  }

  /// Creates a topic with one partition and waits until it can be used.
  Split split() {
    return new Split(topic(1, Map.of()), 0);
  }

  /// Creates a topic with two partitions and waits until it can be used.
  List<Split> twoSplits() {
    String name = topic(2, Map.of());
    return List.of(new Split(name, 0), new Split(name, 1));
  }

  void createTopic(String name, int partitions, Map<String, String> settings) {
    // The records of these tests may be old: nothing may remove them.
    Map<String, String> all = new TreeMap<>(settings);
    all.put("retention.ms", "-1");
    eventually(
        "topic " + name + " is created",
        () -> {
          log.createTopic(new TopicSpec(name, partitions, -1, all));
          return true;
        });
    List<Split> splits = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      splits.add(new Split(name, i));
    }
    eventually("topic " + name + " can be used", () -> isThere(splits));
  }

  boolean isThere(List<Split> splits) {
    try {
      return log.offsets(splits).size() == splits.size();
    } catch (LogException failure) {
      if (failure.kind() == LogException.Kind.MISSING) {
        return false;
      }
      throw failure;
    }
  }

  /// Waits until something holds. A log that is not available now is asked again.
  void eventually(String what, BooleanSupplier condition) {
    awaiting(what, () -> condition.getAsBoolean() ? Boolean.TRUE : null);
  }

  /// Waits until there is something, and returns it.
  <T> T awaiting(String what, Supplier<@Nullable T> source) {
    @Nullable LogException last = null;
    for (int i = 0; i < subject.patience(); i++) {
      try {
        T found = source.get();
        if (found != null) {
          return found;
        }
      } catch (LogException failure) {
        if (failure.kind() != LogException.Kind.UNAVAILABLE) {
          throw failure;
        }
        last = failure;
      }
      subject.letTimePass();
    }
    throw new AssertionError("It never came to this: " + what, last);
  }

  /// A writer that is not open yet; closed with the bench.
  TransactionalWriter writer(String id) {
    return writer(id, TIMEOUT);
  }

  TransactionalWriter writer(String id, Duration timeout) {
    TransactionalWriter writer = log.writer(id, timeout);
    opened.add(writer::close);
    return writer;
  }

  /// An open writer with an id of its own.
  TransactionalWriter openWriter() {
    return openWriter(uniqueName("writer"));
  }

  TransactionalWriter openWriter(String id) {
    TransactionalWriter writer = writer(id);
    open(writer);
    return writer;
  }

  void open(TransactionalWriter writer) {
    eventually(
        "a writer is opened",
        () -> {
          writer.open();
          return true;
        });
  }

  /// Waits until the end of a transaction is known.
  Outcome outcome(TransactionalWriter writer) {
    return awaiting(
        "the outcome is known",
        () -> {
          Outcome outcome = writer.outcome();
          return outcome == Outcome.PENDING ? null : outcome;
        });
  }

  void commit(TransactionalWriter writer) {
    writer.commit();
    assertEquals(Outcome.COMMITTED, outcome(writer), writer::failure);
  }

  void abort(TransactionalWriter writer) {
    writer.abort();
    assertEquals(Outcome.ABORTED, outcome(writer), writer::failure);
  }

  /// Sends texts in one batch and commits.
  void write(TransactionalWriter writer, Split to, String... values) {
    writer.send(to, batch(values));
    commit(writer);
  }

  /// A batch of values without keys.
  static RecordBatch batch(String... values) {
    RecordBatch batch = RecordBatch.create();
    for (String value : values) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      batch.append(batch.size(), TIME);
      batch.value(bytes, 0, bytes.length);
    }
    return batch;
  }

  /// A reader that keeps what it reads and checks each batch; closed with the bench.
  LogReading reading() {
    LogReading reading = new LogReading(this, log.reader(uniqueName("reader")));
    opened.add(reading::close);
    return reading;
  }

  /// Reads a split from its start to its end as it is now, without open transactions.
  List<ModelRecord> records(Split split) {
    awaitDecided(split);
    Log.Offsets offsets = offsets(split);
    if (offsets.start() == offsets.stableEnd()) {
      return List.of();
    }
    try (LogReading reading = new LogReading(this, log.reader(uniqueName("reader")))) {
      reading.reader().add(split, Position.of(offsets.start()));
      reading.readTo(split, offsets.stableEnd());
      return reading.records(split);
    }
  }

  /// The value of a record as a text.
  static String text(ModelRecord record) {
    return String.valueOf(record.valueText());
  }

  /// The values of a split as texts; see [#records].
  List<String> values(Split split) {
    return records(split).stream().map(LogBench::text).toList();
  }

  Log.Offsets offsets(Split split) {
    return awaiting("offsets are known", () -> log.offsets(List.of(split)).get(split));
  }

  /// Waits until nothing in a split is undecided.
  void awaitDecided(Split split) {
    eventually(
        "all of " + split + " is decided",
        () -> {
          Log.Offsets offsets = offsets(split);
          return offsets.stableEnd() == offsets.end();
        });
  }

  @Override
  public void close() {
    opened.forEach(Runnable::run);
    log.close();
  }
}
