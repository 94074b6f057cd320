package dev.millrace.benchmarks.nexmark;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.query.Events;
import dev.millrace.benchmarks.scenarios.Topics;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// A topic of events, without keys, dealt out to its partitions in turn: so they are in the order
/// of their times in each.
final class EventTopic {
  private static final long TOLD_EVERY = 100_000;

  private EventTopic() {}

  /// Creates the topic and writes all events of a generator.
  static void write(
      String bootstrap, String topic, int partitions, Generator generator, LongConsumer progress)
      throws InterruptedException, ExecutionException, TimeoutException {
    Topics.create(bootstrap, topic, partitions);
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap,
                ProducerConfig.LINGER_MS_CONFIG, "20",
                ProducerConfig.BATCH_SIZE_CONFIG, "131072",
                ProducerConfig.BUFFER_MEMORY_CONFIG, "67108864"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      BytesWriter out = new BytesWriter();
      for (long number = 0; number < generator.settings().events(); number++) {
        out.clear();
        Events.SERDE.write(generator.event(number), out);
        var _ =
            producer.send(
                new ProducerRecord<>(topic, (int) (number % partitions), null, out.toByteArray()),
                (_, thrown) -> {
                  if (thrown != null) {
                    failure.compareAndSet(null, thrown);
                  }
                });
        if (number % TOLD_EVERY == 0) {
          progress.accept(number);
        }
      }
      producer.flush();
    }
    Exception thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("Events could not be written: " + thrown, thrown);
    }
  }
}
