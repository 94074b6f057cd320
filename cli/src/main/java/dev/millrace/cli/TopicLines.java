package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.kafka.client.KafkaProperties;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/// Shows and writes the records of topics as lines of text.
final class TopicLines {
  private static final int PATIENCE_MILLIS = 15_000;
  private static final Set<String> DELIVERY =
      Set.of("linger.ms", "request.timeout.ms", "delivery.timeout.ms");

  private final String servers;
  private final Map<String, String> properties;
  private final PrintWriter out;

  TopicLines(String servers, Map<String, String> properties, PrintWriter out) {
    this.servers = servers;
    this.properties = properties;
    this.out = out;
  }

  /// Shows committed records of each partition, from both ends.
  ///
  /// @param first how many of the first ones
  /// @param last how many of the last ones
  void show(
      String topic, int first, int last, Function<ConsumerRecord<byte[], byte[]>, String> line) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (var info : consumer.partitionsFor(topic)) {
        TopicPartition partition = new TopicPartition(topic, info.partition());
        consumer.assign(List.of(partition));
        long end = of(consumer.endOffsets(List.of(partition)), partition);
        long start = of(consumer.beginningOffsets(List.of(partition)), partition);
        List<ConsumerRecord<byte[], byte[]>> head = head(consumer, partition, start, end, first);
        head.forEach(record -> out.println(line.apply(record)));
        // What was shown is not shown again.
        long from = head.isEmpty() ? start : head.getLast().offset() + 1;
        List<ConsumerRecord<byte[], byte[]>> tail = tail(consumer, partition, from, end, last);
        if (!head.isEmpty() && !tail.isEmpty() && tail.getFirst().offset() > from) {
          out.println("  …");
        }
        tail.forEach(record -> out.println(line.apply(record)));
      }
    } catch (KafkaException e) {
      throw TopicTables.failed(servers, e);
    }
  }

  private static long of(Map<TopicPartition, Long> offsets, TopicPartition partition) {
    return offsets.getOrDefault(partition, 0L);
  }

  private static List<ConsumerRecord<byte[], byte[]>> head(
      KafkaConsumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long start,
      long end,
      int most) {
    List<ConsumerRecord<byte[], byte[]>> first = new ArrayList<>();
    consumer.seek(partition, start);
    while (first.size() < most && consumer.position(partition) < end) {
      consumer.poll(Duration.ofMillis(100)).forEach(first::add);
    }
    return first.subList(0, Math.min(most, first.size()));
  }

  private static List<ConsumerRecord<byte[], byte[]>> tail(
      KafkaConsumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long start,
      long end,
      int most) {
    List<ConsumerRecord<byte[], byte[]>> last = new ArrayList<>();
    // Marks of transactions and compaction leave gaps, so look further back until there is enough.
    long from = end;
    for (long back = most; last.size() < most && from > start; back *= 4) {
      from = Math.max(start, end - back);
      last.clear();
      consumer.seek(partition, from);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(last::add);
      }
    }
    return last.subList(Math.max(0, last.size() - most), last.size());
  }

  /// Writes each line of standard input as a record.
  void write(String topic, LineOptions options) throws InterruptedException {
    long count = 0;
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<String, @Nullable String> producer =
            new KafkaProducer<String, @Nullable String>(
                producer(), new StringSerializer(), new StringSerializer());
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        sent.add(producer.send(options.record(topic, line, ++count)));
      }
      producer.flush();
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    } catch (IOException e) {
      throw new UserException(ExitCode.FAILED, "Standard input cannot be read: " + e.getMessage());
    } catch (KafkaException e) {
      throw TopicTables.failed(servers, e);
    } catch (ExecutionException e) {
      throw TopicTables.failed(servers, e.getCause() == null ? e : e.getCause());
    }
    out.println("Wrote %d records to %s.".formatted(count, topic));
    out.flush();
  }

  private Map<String, Object> consumer() {
    Map<String, Object> known = known(ConsumerConfig.configDef());
    known.put("isolation.level", "read_committed");
    return known;
  }

  private Map<String, Object> producer() {
    Map<String, Object> known = known(ProducerConfig.configDef());
    known.putIfAbsent("max.block.ms", PATIENCE_MILLIS);
    // With several, a batch that a new partition refused may wait until it expires.
    known.putIfAbsent("max.in.flight.requests.per.connection", 1);
    // They must fit each other, so they are only set together.
    if (Collections.disjoint(known.keySet(), DELIVERY)) {
      known.put("request.timeout.ms", PATIENCE_MILLIS);
      known.put("delivery.timeout.ms", 2 * PATIENCE_MILLIS);
    }
    return known;
  }

  private Map<String, Object> known(ConfigDef definition) {
    Map<String, Object> known = KafkaProperties.knownTo(definition, properties);
    known.put("bootstrap.servers", servers);
    return known;
  }
}
