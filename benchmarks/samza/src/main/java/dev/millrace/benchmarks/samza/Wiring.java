package dev.millrace.benchmarks.samza;

import dev.millrace.benchmarks.scenarios.Assignment;
import dev.millrace.benchmarks.scenarios.Scenario;
import java.util.List;
import java.util.Map;
import org.apache.samza.operators.KV;
import org.apache.samza.serializers.ByteSerde;
import org.apache.samza.serializers.KVSerde;
import org.apache.samza.serializers.LongSerde;
import org.apache.samza.storage.kv.descriptors.RocksDbTableDescriptor;
import org.apache.samza.storage.kv.inmemory.descriptors.InMemoryTableDescriptor;
import org.apache.samza.system.SystemStreamMetadata.OffsetType;
import org.apache.samza.system.kafka.descriptors.KafkaInputDescriptor;
import org.apache.samza.system.kafka.descriptors.KafkaOutputDescriptor;
import org.apache.samza.system.kafka.descriptors.KafkaSystemDescriptor;
import org.apache.samza.table.descriptors.LocalTableDescriptor;

/// What both kinds of applications are made of.
final class Wiring {
  static final String STORE = "counts";
  static final String SYSTEM = "kafka";

  /// Objects in the cache before RocksDB, a task; what one and its key take is about 200 bytes.
  private static final int CACHED_BYTES = 200;

  private static final int TASKS = 4;

  private final Assignment assignment;
  private final KafkaSystemDescriptor system;

  Wiring(Assignment assignment) {
    this.assignment = assignment;
    system =
        new KafkaSystemDescriptor(SYSTEM)
            .withProducerBootstrapServers(List.of(assignment.bootstrap()))
            .withDefaultStreamOffsetDefault(OffsetType.OLDEST)
            .withConsumerAutoOffsetReset("smallest")
            .withConsumerConfigs(Map.of("bootstrap.servers", assignment.bootstrap()))
            .withDefaultStreamConfigs(Map.of("replication.factor", "1"));
  }

  static KVSerde<byte[], byte[]> bytes() {
    return KVSerde.of(new ByteSerde(), new ByteSerde());
  }

  KafkaSystemDescriptor system() {
    return system;
  }

  KafkaInputDescriptor<KV<byte[], byte[]>> input() {
    return system.getInputDescriptor(assignment.input(), bytes());
  }

  KafkaOutputDescriptor<KV<byte[], byte[]>> output() {
    return system.getOutputDescriptor(assignment.output(), bytes());
  }

  /// Keys as numbers: the cache is a map, in which equal arrays are not equal.
  private static KVSerde<Long, Long> numbers() {
    return KVSerde.of(new LongSerde(), new LongSerde());
  }

  LocalTableDescriptor<Long, Long, ?> store() {
    if (!assignment.scenario().onDisk()) {
      return new InMemoryTableDescriptor<>(STORE, numbers());
    }
    int half = (int) (assignment.cacheBytes() / 2);
    RocksDbTableDescriptor<Long, Long> store = new RocksDbTableDescriptor<>(STORE, numbers());
    store
        .withCacheSize(half)
        .withObjectCacheSize(half / CACHED_BYTES / TASKS)
        .withWriteBatchSize(Math.min(1_000, half / CACHED_BYTES / TASKS));
    return assignment.scenario() == Scenario.COUNT_DISK_CHANGELOG
        ? store.withChangelogEnabled().withChangelogReplicationFactor(1)
        : store;
  }
}
