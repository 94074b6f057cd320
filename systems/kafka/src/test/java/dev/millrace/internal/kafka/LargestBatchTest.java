package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/// What a batch may unpack to, where it is unpacked by requests of our own.
class LargestBatchTest {
  /// 20 MB in a batch of some kilobytes, where answers of 1 MB leave room for 16.
  @Test
  void aBatchThatUnpacksToTooMuchIsRefusedByName() throws Exception {
    String servers = SharedEmbeddedKafka.bootstrapServers();
    byte[] large = new byte[20 << 20];
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            servers,
            "compression.type",
            "zstd",
            "max.request.size",
            64 << 20,
            "buffer.memory",
            64L << 20);
    try (LogBench narrow =
            new LogBench(servers, DataPlane.DIRECT, Map.of("fetch.max.bytes", "1000000"));
        LogBench wide =
            new LogBench(servers, DataPlane.DIRECT, Map.of("fetch.max.bytes", "8000000"));
        var producer =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      Split split = narrow.split();
      producer.send(new ProducerRecord<>(split.stream(), 0, null, new byte[1])).get();
      producer.send(new ProducerRecord<>(split.stream(), 0, null, large)).get();
      SplitReader reader = narrow.reader();
      reader.add(split, Position.of(0));
      RecordBatch first = LogBench.next(reader);
      assertEquals(1, first.nextOffset());
      first.release();
      LogException[] refused = {null};
      LogBench.await(
          "the second batch is refused",
          () -> {
            try {
              return reader.poll(Duration.ofMillis(100)) != null;
            } catch (LogException e) {
              refused[0] = e;
              return true;
            }
          });
      assertEquals(split, refused[0].split());
      String message = refused[0].getMessage();
      for (String part :
          List.of(split.toString(), "offset 1", "16777216", "kafka.fetch.max.bytes")) {
        assertTrue(message.contains(part), message);
      }
      SplitReader other = wide.reader();
      other.add(split, Position.of(1));
      RecordBatch second = LogBench.next(other);
      assertEquals(large.length, second.value(0, new Bytes()).length());
      second.release();
    }
  }
}
