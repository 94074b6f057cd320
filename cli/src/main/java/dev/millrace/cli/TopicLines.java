package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.kafka.KafkaProperties;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
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

  /// Shows the last committed records of each partition: partition, offset, time, key, value.
  void tail(String topic, int most) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (var info : consumer.partitionsFor(topic)) {
        tail(consumer, new TopicPartition(topic, info.partition()), most);
      }
    } catch (KafkaException e) {
      throw TopicTables.failed(servers, e);
    }
  }

  private void tail(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, int most) {
    consumer.assign(List.of(partition));
    long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    long start = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
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
    for (ConsumerRecord<byte[], byte[]> record :
        last.subList(Math.max(0, last.size() - most), last.size())) {
      out.println(
          "  %d:%d  %s  %s  %s"
              .formatted(
                  record.partition(),
                  record.offset(),
                  Instant.ofEpochMilli(record.timestamp()),
                  text(record.key()),
                  text(record.value())));
    }
  }

  /// Bytes as text; what cannot be shown is a dot.
  private static String text(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "-";
    }
    StringBuilder text = new StringBuilder();
    new String(bytes, StandardCharsets.UTF_8)
        .codePoints()
        .map(point -> Character.isISOControl(point) || point == 0xFFFD ? '.' : point)
        .forEach(text::appendCodePoint);
    return text.toString();
  }

  /// Writes each line of standard input as the value of a record without a key.
  void write(String topic) throws InterruptedException {
    long count = 0;
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<String, String> producer =
            new KafkaProducer<>(producer(), new StringSerializer(), new StringSerializer());
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        sent.add(producer.send(new ProducerRecord<>(topic, line)));
        count++;
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
