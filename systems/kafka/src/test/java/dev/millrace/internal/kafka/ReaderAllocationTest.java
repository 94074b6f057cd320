package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;

/// A reader adds next to nothing to what the consumer itself allocates for each record.
class ReaderAllocationTest {
  private static final int RECORDS = 100_000;
  private static final int MOST_BYTES_ABOVE_THE_CLIENT = 32;
  private static final int ROUNDS = 4;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /// Looks at nothing and allocates nothing.
  private static final class Nothing implements Deserializer<Object> {
    private static final Object IT = new Object();

    @Override
    public Object deserialize(String topic, byte[] data) {
      return IT;
    }

    @Override
    public Object deserialize(String topic, Headers headers, ByteBuffer data) {
      return IT;
    }
  }

  @Test
  void aReaderAllocatesAtMost32BytesARecordAboveTheClient() throws Exception {
    try (LogBench bench = new LogBench(SharedEmbeddedKafka.bootstrapServers())) {
      Split split = bench.split();
      write(bench, split);
      // The first rounds warm up.
      long client = 0;
      long reader = 0;
      for (int i = 0; i < ROUNDS; i++) {
        client = readByClient(split);
        reader = readByReader(bench, split);
      }
      double above = (double) (reader - client) / RECORDS;
      System.out.printf(
          "Bytes allocated a record: client %.1f, reader %.1f%n",
          (double) client / RECORDS, (double) reader / RECORDS);
      assertTrue(above <= MOST_BYTES_ABOVE_THE_CLIENT, () -> above + " bytes a record");
    }
  }

  private static void write(LogBench bench, Split split) {
    TransactionalWriter writer = bench.openWriter();
    byte[] value = new byte[90];
    for (int i = 0; i < RECORDS; i += 1000) {
      RecordBatch batch = RecordBatch.create();
      for (int j = 0; j < 1000; j++) {
        batch.append(j, LogBench.TIME);
        int start = batch.data().length();
        batch.data().writeLong(i + j);
        batch.endKey(start);
        batch.value(value, 0, value.length);
      }
      writer.send(split, batch);
    }
    LogBench.commit(writer);
    bench.awaitDecided(split);
  }

  private static long readByClient(Split split) {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            SharedEmbeddedKafka.bootstrapServers(),
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "none",
            "max.poll.records",
            "2000",
            "fetch.max.bytes",
            16 << 20,
            "receive.buffer.bytes",
            -1);
    TopicPartition partition = new TopicPartition(split.stream(), split.partition());
    try (var consumer = new KafkaConsumer<>(config, new Nothing(), new Nothing())) {
      consumer.assign(List.of(partition));
      consumer.seek(partition, 0);
      int read = consumer.poll(Duration.ofSeconds(20)).count();
      assertTrue(read > 0 && read < RECORDS);
      int first = read;
      long before = THREADS.getCurrentThreadAllocatedBytes();
      while (read < RECORDS) {
        ConsumerRecords<Object, Object> records = consumer.poll(Duration.ofSeconds(20));
        read += records.count();
      }
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertEquals(RECORDS, read);
      return allocated * RECORDS / (RECORDS - first);
    }
  }

  private static long readByReader(LogBench bench, Split split) {
    try (SplitReader reader = bench.log.reader("allocation")) {
      reader.add(split, Position.of(0));
      RecordBatch batch = LogBench.next(reader);
      int read = batch.size();
      batch.release();
      assertTrue(read > 0 && read < RECORDS);
      int first = read;
      Duration wait = Duration.ofSeconds(20);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      while (read < RECORDS) {
        RecordBatch next = reader.poll(wait);
        if (next != null) {
          read += next.size();
          next.release();
        }
      }
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertEquals(RECORDS, read);
      return allocated * RECORDS / (RECORDS - first);
    }
  }
}
