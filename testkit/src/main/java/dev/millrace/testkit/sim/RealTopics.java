package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The topics of a job on a real log: how they are made, filled and read.
public final class RealTopics {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration WAIT = Duration.ofMillis(20);

  private final Log log;

  public RealTopics(Log log) {
    this.log = log;
  }

  /// Creates topics that keep what they get: event times lie long ago.
  void create(Map<String, Integer> topics) {
    topics.forEach((name, partitions) ->
        log.createTopic(new Log.TopicSpec(name, partitions, -1, Map.of("retention.ms", "-1"))));
  }

  /// Writes all of it in one transaction, so that offsets are counted as in the model, and waits
  /// for its end.
  ///
  /// @param writerId unlike that of any other run
  public void write(String writerId, List<InputRecord> input) {
    Map<Split, RecordBatch> batches = new TreeMap<>();
    for (InputRecord record : input) {
      append(record, batches.computeIfAbsent(record.split(), _ -> RecordBatch.create()));
    }
    if (batches.isEmpty()) {
      return;
    }
    try (TransactionalWriter writer = log.writer(writerId, PATIENCE)) {
      writer.open();
      batches.forEach(writer::send);
      writer.commit();
      Outcome outcome = writer.outcome();
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (outcome == Outcome.PENDING && System.nanoTime() < end) {
        pause();
        outcome = writer.outcome();
      }
      if (outcome != Outcome.COMMITTED) {
        throw new AssertionError("The input is " + outcome + ": " + writer.failure());
      }
    }
  }

  /// Adds a record to a batch.
  static void append(InputRecord record, RecordBatch batch) {
    batch.append(batch.size(), record.timestamp());
    Bytes key = record.key();
    if (key != null) {
      batch.key(key.array(), key.offset(), key.length());
    }
    Bytes value = record.value();
    if (value != null) {
      batch.value(value.array(), value.offset(), value.length());
    }
    if (record.headers().length() > 0) {
      Bytes headers = record.headers();
      batch.headers(headers.array(), headers.offset(), headers.length());
    }
  }

  static void pause() {
    try {
      Thread.sleep(WAIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /// Reads everything that a job has written, when all of it is decided.
  Written read(Plan plan, DrawnJob job) {
    Set<String> names = new TreeSet<>(job.topics().keySet());
    Topics.needed(plan, job.settings().engine().errors()).forEach(topic -> names.add(topic.name()));
    Map<Split, List<ModelRecord>> records = new TreeMap<>();
    log.topics(names)
        .forEach((name, info) -> {
          for (int i = 0; i < info.partitions(); i++) {
            records.put(new Split(name, i), new ArrayList<>());
          }
        });
    Map<Split, Long> ends = decidedEnds(records.keySet());
    try (SplitReader reader = log.reader("oracle")) {
      log.offsets(records.keySet())
          .forEach((split, offsets) -> {
            if (offsets.start() < offsets.end()) {
              reader.add(split, Position.of(offsets.start()));
            } else {
              ends.remove(split);
            }
          });
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!ends.isEmpty()) {
        if (System.nanoTime() > end) {
          throw new AssertionError("Not read to the end: " + ends);
        }
        take(reader.poll(WAIT), records, ends);
      }
    }
    return new Written(
        plan,
        log,
        (topic, partition) -> records.getOrDefault(new Split(topic, partition), List.of()));
  }

  private static void take(
      @Nullable RecordBatch batch, Map<Split, List<ModelRecord>> records, Map<Split, Long> ends) {
    if (batch != null) {
      Objects.requireNonNull(records.get(batch.split())).addAll(ModelRecord.listOf(batch));
      Long end = ends.get(batch.split());
      if (end != null && batch.nextOffset() >= end) {
        ends.remove(batch.split());
      }
      batch.release();
    }
  }

  /// Waits until nothing is open.
  private Map<Split, Long> decidedEnds(Set<Split> splits) {
    long patience = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Map<Split, Log.Offsets> offsets = log.offsets(splits);
      if (offsets.values().stream().allMatch(each -> each.stableEnd() == each.end())) {
        Map<Split, Long> ends = new TreeMap<>();
        offsets.forEach((split, each) -> ends.put(split, each.end()));
        return ends;
      }
      if (System.nanoTime() > patience) {
        throw new AssertionError("A transaction was left open: " + offsets);
      }
      pause();
    }
  }
}
