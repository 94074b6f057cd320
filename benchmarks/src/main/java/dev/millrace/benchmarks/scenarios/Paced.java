package dev.millrace.benchmarks.scenarios;

import dev.millrace.benchmarks.scenarios.Row.Latency;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Sends records at a steady rate and measures how long each takes until it comes out, committed.
///
/// A record's number is the time at which it was due to be sent. So if the sender is held up, the
/// records that wait for it are late, as they would be in life, and none is left out.
final class Paced {
  private static final Duration POLL = Duration.ofMillis(20);

  /// How long an engine may take to its first record, and to its last one.
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  /// At the same rate, before the records that count.
  private static final int WARM_SECONDS = 10;

  private static final long SECOND = 1_000_000_000;
  private static final long PARK_NANOS = 200_000;

  private final String bootstrap;
  private final Workload workload;
  private final String input;
  private final String output;
  private final int seconds;
  private final AtomicLong read = new AtomicLong();
  private final Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
  private final Padding padding = new Padding();
  private final LongUnaryOperator keyOf;
  private volatile long countsFrom = Long.MAX_VALUE;
  private volatile boolean over;

  /// @param workload of which keys and sizes are taken
  /// @param seconds that count
  Paced(String bootstrap, Workload workload, String input, String output, int seconds) {
    this.bootstrap = bootstrap;
    this.workload = workload;
    keyOf = workload.keyOf();
    this.input = input;
    this.output = output;
    this.seconds = seconds;
  }

  /// @param alive is called again and again, and throws if the engine has ended
  /// @throws TimeoutException if not all that was sent comes out
  Latency measure(double perSecond, boolean ofMaximum, Runnable alive, LongConsumer progress)
      throws InterruptedException, TimeoutException {
    Thread reader = Thread.ofPlatform().daemon().name("committed").start(this::read);
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      send(producer, 0, System.nanoTime());
      await(1, alive, progress);
      long start = System.nanoTime();
      countsFrom = start + WARM_SECONDS * SECOND;
      long records = (long) (perSecond * (WARM_SECONDS + seconds));
      for (long i = 0; i < records; i++) {
        long due = start + (long) (i * (SECOND / perSecond));
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(PARK_NANOS);
        }
        send(producer, i, due);
        if (i % 10_000 == 0) {
          alive.run();
          progress.accept(read.get());
        }
      }
      producer.flush();
      await(records + 1, alive, progress);
    } finally {
      over = true;
      reader.join();
    }
    return new Latency(
        perSecond,
        ofMaximum,
        histogram.getValueAtPercentile(50) / 1e6,
        histogram.getValueAtPercentile(99) / 1e6,
        histogram.getValueAtPercentile(99.9) / 1e6,
        histogram.getMaxValue() / 1e6);
  }

  private void send(KafkaProducer<byte[], byte[]> producer, long number, long due) {
    byte[] value = new byte[workload.recordBytes() - Event.KEY_BYTES];
    long key = keyOf.applyAsLong(number);
    Event.head(value, false, key, due);
    padding.fill(value, number);
    var _ = producer.send(new ProducerRecord<>(input, Event.toBytes(key), value));
  }

  private void await(long records, Runnable alive, LongConsumer progress)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (read.get() < records) {
      if (System.nanoTime() > end) {
        throw new TimeoutException(
            "%,d of %,d records were in the output within %d s after they were sent"
                .formatted(read.get(), records, TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS)));
      }
      alive.run();
      progress.accept(read.get());
      Thread.sleep(POLL.toMillis());
    }
  }

  private void read() {
    List<TopicPartition> partitions =
        IntStream.range(0, ScenarioBenchmark.PARTITIONS)
            .mapToObj(i -> new TopicPartition(output, i))
            .toList();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", bootstrap,
                "isolation.level", "read_committed",
                "max.poll.records", "10000"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (!over) {
        int records = 0;
        long from = countsFrom;
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          long due = Event.number(record.value(), 0);
          if (due >= from) {
            histogram.recordValue(
                Math.clamp(System.nanoTime() - due, 0, histogram.getHighestTrackableValue()));
          }
          records++;
        }
        read.addAndGet(records);
      }
    }
  }

  private KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers", bootstrap,
            "compression.type", workload.compression(),
            // A batch goes out as soon as the one before it is there.
            "linger.ms", "0",
            "batch.size", "131072",
            "buffer.memory", "67108864"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }
}
