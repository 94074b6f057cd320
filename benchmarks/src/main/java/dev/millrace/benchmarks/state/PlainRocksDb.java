package dev.millrace.benchmarks.state;

import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.recovery.PaddedCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/// A process that does by hand what an engine without a cache of its own does: a get and a put of
/// RocksDB for each record, in two threads. It commits nothing and has no changelog, filters and no
/// write-ahead log. Its blocks and write buffers together have Millrace's whole budget.
final class PlainRocksDb {
  private static final int THREADS = 2;
  private static final int PARTITIONS = 4;

  /// Of its memory; the rest is for blocks.
  private static final double WRITE_BUFFERS = 0.5;

  private static final double FILTER_BITS = 10;
  private static final Duration POLL = Duration.ofMillis(100);

  private final String bootstrap;
  private final String topic;
  private final Path directory;
  private final Options options;
  private final LongAdder processed = new LongAdder();

  private PlainRocksDb(String bootstrap, String topic, Path directory, long cacheBytes) {
    this.bootstrap = bootstrap;
    this.topic = topic;
    this.directory = directory;
    long budget = MillraceState.budget(cacheBytes);
    Cache memory = new LRUCache(budget);
    options =
        new Options()
            .setCreateIfMissing(true)
            .setIncreaseParallelism(THREADS)
            .setWriteBufferManager(new WriteBufferManager((long) (budget * WRITE_BUFFERS), memory))
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(memory)
                    .setFilterPolicy(new BloomFilter(FILTER_BITS)));
  }

  /// @param args as of [MillraceState]
  public static void main(String[] args) throws InterruptedException, IOException {
    Parent.endWithIt();
    RocksDB.loadLibrary();
    Path directory = Files.createDirectories(Path.of(args[2]));
    PlainRocksDb plain = new PlainRocksDb(args[0], args[1], directory, Long.parseLong(args[3]));
    for (int thread = 0; thread < THREADS; thread++) {
      int first = thread;
      Thread.ofPlatform().daemon().start(() -> plain.work(first));
    }
    Segments.tell(
        plain.processed::sum,
        Long.parseLong(args[4]),
        Long.parseLong(args[5]),
        Integer.parseInt(args[6]));
    System.exit(0);
  }

  private void work(int first) {
    try (KafkaConsumer<byte[], byte[]> consumer =
            new KafkaConsumer<>(
                Map.of(
                    "bootstrap.servers", bootstrap,
                    "auto.offset.reset", "earliest",
                    "max.poll.records", "5000"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        WriteOptions writes = new WriteOptions().setDisableWAL(true)) {
      List<TopicPartition> partitions = new ArrayList<>();
      RocksDB[] databases = new RocksDB[PARTITIONS];
      for (int partition = first; partition < PARTITIONS; partition += THREADS) {
        partitions.add(new TopicPartition(topic, partition));
        databases[partition] = RocksDB.open(options, directory.resolve("" + partition).toString());
      }
      consumer.assign(partitions);
      while (true) {
        for (ConsumerRecord<byte[], byte[]> event : consumer.poll(POLL)) {
          RocksDB database = databases[event.partition()];
          byte[] count = database.get(event.key());
          byte[] next = PaddedCount.addOne(count == null ? PaddedCount.zero() : count);
          database.put(writes, event.key(), next);
          processed.increment();
        }
      }
    } catch (RocksDBException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }
}
