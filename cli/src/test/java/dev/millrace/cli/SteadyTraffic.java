package dev.millrace.cli;

import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Writes a word to each partition of a topic again and again, reads what is counted, and knows how
/// long no count came for the word of a partition.
final class SteadyTraffic implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String name;
  private final int partitions;
  private final AtomicBoolean writing = new AtomicBoolean(true);
  private final AtomicBoolean reading = new AtomicBoolean(true);
  private final AtomicLong rounds = new AtomicLong();
  private final Thread writer;
  private final Thread reader;

  /// By word, the counts in the order in which they came.
  private final Map<String, List<Long>> counts = new TreeMap<>();

  private final Map<String, Long> lastNanos = new TreeMap<>();
  private final Map<String, Long> silenceNanos = new TreeMap<>();
  private String tooLong = "";

  SteadyTraffic(String name, int partitions) {
    this.name = name;
    this.partitions = partitions;
    writer = Thread.ofPlatform().name("traffic-out").start(this::write);
    reader = Thread.ofPlatform().name("traffic-in").start(this::read);
  }

  static String word(int partition) {
    return "word-" + partition;
  }

  private void write() {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", SharedEmbeddedKafka.bootstrapServers(), "linger.ms", 0);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      while (writing.get()) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
          sent.add(producer.send(new ProducerRecord<>(name + "-in", i, null, word(i))));
        }
        sent.forEach(SteadyTraffic::await);
        rounds.incrementAndGet();
        pause();
      }
    }
  }

  private static void await(Future<RecordMetadata> written) {
    try {
      written.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void read() {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            SharedEmbeddedKafka.bootstrapServers(),
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(name + "-out", 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (reading.get()) {
        consumer.poll(Duration.ofMillis(20)).forEach(this::take);
      }
    }
  }

  private synchronized void take(ConsumerRecord<String, String> count) {
    long now = System.nanoTime();
    String word = count.key();
    counts.computeIfAbsent(word, _ -> new ArrayList<>()).add(Long.parseLong(count.value()));
    Long last = lastNanos.put(word, now);
    if (last != null) {
      long silent = now - last;
      silenceNanos.merge(word, silent, Math::max);
      Duration most = Patience.grown(Duration.ofSeconds(3));
      if (silent > most.toNanos()) {
        tooLong = "%s was silent for %d ms, more than %s".formatted(word, silent / 1_000_000, most);
      }
    }
  }

  /// Returns the longest time for which a word was not counted since the last call, and begins anew
  /// with that and with [#tooLong].
  synchronized Duration longestSilence() {
    long longest = silenceNanos.values().stream().mapToLong(Long::longValue).max().orElse(0);
    silenceNanos.clear();
    tooLong = "";
    return Duration.ofNanos(longest);
  }

  /// Returns which word was silent for more than three seconds, or more on a busy machine; empty if
  /// none was.
  synchronized String tooLong() {
    return tooLong;
  }

  private synchronized boolean allCame() {
    return counts.size() == partitions
        && counts.values().stream().allMatch(of -> of.size() >= rounds.get());
  }

  private synchronized boolean allCount() {
    return counts.size() == partitions;
  }

  /// Waits until each word was counted.
  void awaitBegun() {
    Patience.await("That each word is counted", PATIENCE, this::allCount);
  }

  /// Ends to write, and waits for the counts of everything.
  ///
  /// @return by word, the counts as they came
  Map<String, List<Long>> end() throws InterruptedException {
    writing.set(false);
    writer.join();
    Patience.await("That everything is counted", PATIENCE, this::allCame);
    close();
    return counts;
  }

  /// Returns how often each word was written.
  long rounds() {
    return rounds.get();
  }

  @Override
  public void close() throws InterruptedException {
    writing.set(false);
    reading.set(false);
    writer.join();
    reader.join();
  }
}
