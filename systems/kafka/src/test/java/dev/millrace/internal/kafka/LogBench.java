package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;

/// A connection to a broker, and what the tests do with it. All that is left open is closed with
/// it.
public final class LogBench implements AutoCloseable {
  public static final long TIME = 1_700_000_000_000L;
  public static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final AtomicLong NAMES = new AtomicLong();

  private final String servers;
  public final KafkaLog log;
  private final List<AutoCloseable> opened = new ArrayList<>();

  /// Overwrites what is released.
  private final BatchPool pool = new BatchPool();

  public LogBench(String servers) {
    this(servers, DataPlane.DIRECT);
  }

  public LogBench(String servers, DataPlane dataPlane) {
    this(servers, dataPlane, Map.of());
  }

  public LogBench(String servers, DataPlane dataPlane, Map<String, String> properties) {
    this.servers = servers;
    log =
        KafkaLog.connect(
            KafkaLogSettings.of(servers, "test")
                .withPatience(Duration.ofSeconds(20))
                .withDataPlane(dataPlane)
                .withProperties(properties));
  }

  public static String uniqueName(String hint) {
    return "own-" + hint + "-" + NAMES.incrementAndGet();
  }

  public List<Split> splits(int partitions, Map<String, String> settings) {
    String topic = uniqueName("topic");
    Map<String, String> all = new HashMap<>(Map.of("retention.ms", "-1"));
    all.putAll(settings);
    log.createTopic(new TopicSpec(topic, partitions, -1, all));
    List<Split> splits = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      splits.add(new Split(topic, i));
    }
    return splits;
  }

  public Split split() {
    return splits(1, Map.of()).getFirst();
  }

  public TransactionalWriter openWriter() {
    return openWriter(uniqueName("writer"), TIMEOUT);
  }

  public TransactionalWriter openWriter(String id, Duration timeout) {
    TransactionalWriter writer = log.writer(id, timeout);
    opened.add(writer::close);
    eventually("the writer is open", writer::open);
    return writer;
  }

  public SplitReader reader() {
    SplitReader reader = log.reader("reader");
    opened.add(reader::close);
    return reader;
  }

  public Admin admin() {
    Admin admin = Admin.create(Map.of("bootstrap.servers", (Object) servers));
    opened.add(admin::close);
    return admin;
  }

  public RecordBatch batch(String... values) {
    RecordBatch batch = pool.take(new Split("", 0), new byte[0], 0);
    for (String value : values) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      batch.append(batch.size(), TIME);
      batch.value(bytes, 0, bytes.length);
    }
    return batch;
  }

  public static Outcome outcome(TransactionalWriter writer) {
    Outcome[] outcome = {Outcome.PENDING};
    await(
        "the outcome is known",
        () -> (outcome[0] = writer.outcome()) != Outcome.PENDING && outcome[0] != Outcome.OPEN);
    return outcome[0];
  }

  public static void commit(TransactionalWriter writer) {
    writer.commit();
    assertEquals(Outcome.COMMITTED, outcome(writer), writer::failure);
  }

  public static void abort(TransactionalWriter writer) {
    writer.abort();
    assertEquals(Outcome.ABORTED, outcome(writer), writer::failure);
  }

  public void write(TransactionalWriter writer, Split to, String... values) {
    writer.send(to, batch(values));
    commit(writer);
  }

  /// Writes with a writer that gives up so soon that its first try may be in vain.
  public void writeInTheEnd(TransactionalWriter writer, Split to, String value) {
    await(
        value + " is committed",
        () -> {
          writer.send(to, batch(value));
          writer.commit();
          Outcome outcome = outcome(writer);
          if (outcome == Outcome.UNKNOWN) {
            eventually("the writer is open again", writer::open);
            return values(to).contains(value);
          }
          assertTrue(outcome == Outcome.COMMITTED || outcome == Outcome.ABORTED, writer::failure);
          return outcome == Outcome.COMMITTED;
        });
  }

  public static void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new AssertionError("It never came to this: " + what);
      }
      sleep(2);
    }
  }

  /// Waits until something can be done; a log that is not available is asked again.
  static void eventually(String what, Runnable action) {
    await(
        what,
        () -> {
          try {
            action.run();
            return true;
          } catch (LogException e) {
            if (e.kind() != LogException.Kind.UNAVAILABLE) {
              throw e;
            }
            return false;
          }
        });
  }

  public static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public void awaitDecided(Split split) {
    await(
        "all of " + split + " is decided",
        () -> {
          Log.Offsets offsets = log.offsets(List.of(split)).get(split);
          return offsets.stableEnd() == offsets.end();
        });
  }

  /// The next batch; it must come.
  public static RecordBatch next(SplitReader reader) {
    RecordBatch[] batch = {null};
    await("a batch comes", () -> (batch[0] = reader.poll(Duration.ofMillis(100))) != null);
    return batch[0];
  }

  /// The values of a split from its start to its stable end.
  public List<String> values(Split split) {
    awaitDecided(split);
    Log.Offsets offsets = log.offsets(List.of(split)).get(split);
    List<String> values = new ArrayList<>();
    if (offsets.start() == offsets.stableEnd()) {
      return values;
    }
    try (SplitReader reader = log.reader("reader")) {
      reader.add(split, Position.of(offsets.start()));
      long next = offsets.start();
      while (next < offsets.stableEnd()) {
        RecordBatch batch = next(reader);
        for (int i = 0; i < batch.size(); i++) {
          values.add(batch.value(i, new Bytes()).toUtf8());
        }
        next = batch.nextOffset();
        batch.release();
      }
    }
    return values;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    log.close();
  }
}
