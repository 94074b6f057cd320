package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Partitioner;
import java.util.Random;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

/// What is computed as Kafka computes it, beside Kafka's own code.
class SameAsKafkaTest {
  @Test
  void keysBelongWhereKafkaSendsThem() {
    Random random = new Random(41);
    for (int length = 0; length <= 300; length++) {
      for (int i = 0; i < 50; i++) {
        byte[] key = new byte[length];
        random.nextBytes(key);
        int partitions = 1 + random.nextInt(i % 2 == 0 ? 20 : 5_000);
        assertEquals(
            BuiltInPartitioner.partitionForKey(key, partitions),
            Partitioner.partition(Bytes.of(key), partitions),
            () -> Bytes.of(key) + " of " + partitions);
      }
    }
  }
}
