package dev.millrace.benchmarks.compaction;

import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.Sending;
import dev.millrace.benchmarks.scenarios.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// A process that counts windows by hand, and writes of each what Samza would (Chronarakis et al.,
/// section II): windows that fold, a record for each new count; those that retain, one for each
/// tuple; and tombstones for all keys of a window when it closes. It keeps its state in memory and
/// commits nothing.
final class WindowsByHand {
  private static final Duration POLL = Duration.ofMillis(100);

  /// Of Samza's producer for changelogs (the Samza benchmark of 2015).
  private static final Duration LINGER = Duration.ofMillis(1);

  private final Task task;
  private final Sending sending;

  /// Keys of the changelog that the open window has.
  private final List<byte[]> logged = new ArrayList<>();

  private final Map<Long, Long> counts = new TreeMap<>();
  private long window = Long.MIN_VALUE;

  private WindowsByHand(Task task, Sending sending) {
    this.task = task;
    this.sending = sending;
  }

  /// @param args as of [Task]; its changelog must exist
  public static void main(String[] args) {
    Parent.endWithIt();
    Task task = Task.of(args);
    try (KafkaConsumer<byte[], byte[]> consumer =
            new KafkaConsumer<>(
                Map.of(
                    "bootstrap.servers", task.bootstrap(),
                    "auto.offset.reset", "earliest",
                    "max.poll.records", "5000"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        Sending sending = new Sending(task.bootstrap(), LINGER)) {
      consumer.assign(List.of(new TopicPartition(task.input(), 0)));
      WindowsByHand windows = new WindowsByHand(task, sending);
      Parent.tell("running", true);
      while (true) {
        for (ConsumerRecord<byte[], byte[]> tuple : consumer.poll(POLL)) {
          windows.add(tuple.key(), tuple.value());
        }
      }
    }
  }

  private void add(byte[] key, byte[] tuple) {
    long start = Tuples.windowOf(Event.toLong(tuple, 0));
    if (start != window) {
      close();
      window = start;
    }
    long number = Event.toLong(key, 0);
    long count = counts.getOrDefault(number, 0L) + 1;
    counts.put(number, count);
    switch (task.keeping()) {
      case FOLDING -> {
        byte[] logKey = logKey(number);
        if (count == 1) {
          logged.add(logKey);
        }
        sending.send(task.changelog(), logKey, Event.toBytes(count));
      }
      case RETAINING -> {
        byte[] logKey = logKey(number, count);
        logged.add(logKey);
        sending.send(task.changelog(), logKey, tuple);
      }
    }
  }

  private void close() {
    counts.forEach((key, count) ->
        sending.send(task.output(), Event.toBytes(key), new WindowCount(window, count).toBytes()));
    logged.forEach(key -> sending.send(task.changelog(), key, null));
    counts.clear();
    logged.clear();
    sending.finish();
  }

  /// The key of a window's value.
  private byte[] logKey(long key) {
    byte[] logKey = new byte[2 * Long.BYTES];
    Event.put(logKey, 0, key);
    Event.put(logKey, Long.BYTES, window);
    return logKey;
  }

  /// The key of a window's tuple.
  private byte[] logKey(long key, long number) {
    byte[] logKey = new byte[3 * Long.BYTES];
    Event.put(logKey, 0, key);
    Event.put(logKey, Long.BYTES, window);
    Event.put(logKey, 2 * Long.BYTES, number);
    return logKey;
  }
}
