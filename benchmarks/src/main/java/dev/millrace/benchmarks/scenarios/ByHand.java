package dev.millrace.benchmarks.scenarios;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.AppInfoParser;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/// What a job would be without an engine: a loop a thread over the official consumer and producer,
/// with transactions, and with RocksDB where state is on disk. A restart would lose its state.
public final class ByHand implements ScenarioPeer {
  private static final int PARTITIONS = 4;
  private static final long COMMIT_MILLIS = 1_000;
  private static final long SOON_COMMIT_MILLIS = 100;
  private static final Duration POLL = Duration.ofMillis(10);

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  private ByHand() {}

  public static void main(String[] args) throws Exception {
    ScenarioMain.run(ByHand::new, args);
  }

  @Override
  public String version() {
    return "Kafka clients " + AppInfoParser.getVersion();
  }

  @Override
  public String settings(Assignment assignment) {
    return "a transaction every %d ms with the positions in it, max.poll.records=5000, batch.size=131072, linger.ms=5; state %s"
        .formatted(
            commitMillis(assignment),
            switch (assignment.scenario()) {
              case PASS -> "none";
              case COUNT_MEMORY -> "in a hash map, not saved";
              case COUNT_DISK -> "in RocksDB, not saved, no write-ahead log";
              case COUNT_DISK_CHANGELOG, EXCHANGE -> "none";
            });
  }

  private static long commitMillis(Assignment assignment) {
    return assignment.soon() ? SOON_COMMIT_MILLIS : COMMIT_MILLIS;
  }

  @Override
  public void start(Assignment assignment) throws IOException {
    Files.createDirectories(assignment.state());
    for (int thread = 0; thread < assignment.threads(); thread++) {
      int first = thread;
      threads.add(
          Thread.ofPlatform()
              .name("by-hand-" + first)
              .uncaughtExceptionHandler((_, thrown) -> failure.compareAndSet(null, thrown))
              .start(() -> work(assignment, first)));
    }
  }

  private void work(Assignment assignment, int first) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(assignment);
        KafkaProducer<byte[], byte[]> producer = producer(assignment, first);
        Counts counts = counts(assignment, first)) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (int partition = first; partition < PARTITIONS; partition += assignment.threads()) {
        partitions.add(new TopicPartition(assignment.input(), partition));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      producer.initTransactions();
      Tally tally = Tally.create();
      while (!stopping) {
        transaction(assignment, consumer, producer, counts, tally);
      }
    } catch (KafkaException | RocksDBException e) {
      failure.compareAndSet(null, e);
    }
  }

  private void transaction(
      Assignment assignment,
      KafkaConsumer<byte[], byte[]> consumer,
      KafkaProducer<byte[], byte[]> producer,
      Counts counts,
      Tally tally)
      throws RocksDBException {
    boolean pass = assignment.scenario() == Scenario.PASS;
    String output = assignment.output();
    producer.beginTransaction();
    long end = System.nanoTime() + commitMillis(assignment) * 1_000_000;
    while (System.nanoTime() < end && !stopping) {
      int records = 0;
      for (ConsumerRecord<byte[], byte[]> event : consumer.poll(POLL)) {
        if (pass) {
          var _ = producer.send(new ProducerRecord<>(output, event.key(), event.value()));
        } else if (Event.asks(event.value(), 0)) {
          byte[] count = Event.toBytes(counts.get(event.key()));
          var _ = producer.send(new ProducerRecord<>(output, event.key(), count));
        } else {
          counts.add(event.key());
        }
        records++;
      }
      tally.add(records);
    }
    Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
    for (TopicPartition each : consumer.assignment()) {
      positions.put(each, new OffsetAndMetadata(consumer.position(each)));
    }
    producer.sendOffsetsToTransaction(positions, consumer.groupMetadata());
    producer.commitTransaction();
  }

  private static Counts counts(Assignment assignment, int thread) throws RocksDBException {
    return assignment.scenario().onDisk()
        ? new RocksDbCounts(
            assignment.state().resolve("" + thread), assignment.cacheBytes() / assignment.threads())
        : new HeapCounts();
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Assignment assignment) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers", assignment.bootstrap(),
            "group.id", assignment.job(),
            "enable.auto.commit", "false",
            "isolation.level", "read_committed",
            "max.poll.records", "5000"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static KafkaProducer<byte[], byte[]> producer(Assignment assignment, int thread) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            assignment.bootstrap(),
            "transactional.id",
            assignment.job() + "-" + thread,
            "batch.size",
            "131072",
            "linger.ms",
            "5"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  @Override
  public long processed() {
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("The loop has failed: " + thrown, thrown);
    }
    return Tally.total();
  }

  @Override
  public void stop() {
    stopping = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
