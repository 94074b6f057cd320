package dev.millrace.internal.kafka.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/// A writer's thread may poll once more when its connections are closed.
class ClosedWireTest {
  @Test
  void whatIsClosedIsNotOpenedAgain() {
    ProducerConfig config =
        new ProducerConfig(
            Map.of(
                "bootstrap.servers", "127.0.0.1:1",
                "key.serializer", ByteArraySerializer.class,
                "value.serializer", ByteArraySerializer.class));
    AtomicInteger opened = new AtomicInteger();
    Wire wire =
        new Wire(
            config,
            "closed",
            0,
            (metadata, memory, metrics, context) -> {
              opened.incrementAndGet();
              return ConnectionLayer.open(config, 1, memory, metadata, metrics, context);
            });
    wire.close();
    assertThrows(KafkaException.class, () -> wire.poll(Duration.ZERO));
    assertEquals(1, opened.get());
  }
}
