package dev.millrace.examples.transfers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.examples.transfers.Transfers.Sum;
import dev.millrace.examples.transfers.Transfers.Transfer;
import dev.millrace.kafka.embedded.NewTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Transfers whose times are out of order by up to ten seconds, and what must come of them.
public final class TransfersLoad {
  /// How many transfers there are in a second of their own time.
  public static final int A_SECOND = 20_000;

  private static final int ACCOUNTS = 1_000;
  private static final int PARTITIONS = 4;
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final Serde<Transfer> TRANSFER = Serdes.record(Transfer.class);
  private static final Serde<Sum> SUM = Serdes.record(Sum.class);

  private final Transfers application;
  private final int count;
  private final String bootstrap;
  private final long[] balances = new long[ACCOUNTS];

  public TransfersLoad(Transfers application, int count, String bootstrap) {
    this.application = application;
    this.count = count;
    this.bootstrap = bootstrap;
  }

  /// What came of a job.
  ///
  /// @param sums how many were written
  /// @param wrong how many of them were not zero, or had only one entry of a transfer
  /// @param largest how far from zero
  public record Outcome(int sums, int wrong, long largest) {}

  /// Creates the topics and writes the transfers.
  @SuppressWarnings("FutureReturnValueIgnored") // flush() waits, and a failure is seen by the count
  public void write() throws Exception {
    createTopics();
    SplittableRandom random = new SplittableRandom(1);
    BytesWriter out = new BytesWriter();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "linger.ms", 20, "batch.size", 256 << 10),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (long i = 0; i < count; i++) {
        int from = random.nextInt(ACCOUNTS);
        int to = random.nextInt(ACCOUNTS);
        long cents = 1L + random.nextInt(100_000);
        long late = random.nextLong(Transfers.DISORDER.toMillis());
        Instant at = FIRST.plusMillis(i * 1_000 / A_SECOND - late);
        balances[from] -= cents;
        balances[to] += cents;
        TRANSFER.write(new Transfer("a" + from, "a" + to, cents, at), out.clear());
        int partition = random.nextInt(PARTITIONS);
        producer.send(
            new ProducerRecord<>(application.topic("in"), partition, null, out.toByteArray()));
      }
      producer.flush();
    }
  }

  private void createTopics() throws Exception {
    List<NewTopic> topics = new ArrayList<>();
    topics.add(new NewTopic(application.topic("in"), Optional.of(PARTITIONS), Optional.empty()));
    List<String> results = new ArrayList<>(Transfers.SUMS);
    results.add("balances");
    for (String of : results) {
      topics.add(
          new NewTopic(application.topic(of), Optional.of(1), Optional.empty())
              .configs(Map.of("message.timestamp.after.max.ms", "9223372036854775807")));
    }
    NewTopics.create(bootstrap, topics);
  }

  /// Compares the last balances and the last sums with the transfers, and looks at all sums.
  public Outcome outcome() throws InterruptedException {
    requireBalances();
    int sums = 0;
    int wrong = 0;
    long largest = 0;
    for (String topic : Transfers.SUMS) {
      List<Sum> all = new ArrayList<>();
      read(application.topic(topic), record -> all.add(SUM.read(Bytes.of(record.value()))));
      for (Sum sum : all) {
        sums++;
        wrong += sum.cents() == 0 && sum.entries() % 2 == 0 ? 0 : 1;
        largest = Math.max(largest, Math.abs(sum.cents()));
      }
      assertEquals(new Sum(0, 2L * count), all.getLast(), topic);
    }
    return new Outcome(sums, wrong, largest);
  }

  private void requireBalances() throws InterruptedException {
    long[] found = new long[ACCOUNTS];
    read(
        application.topic("balances"),
        record -> {
          String account = Serdes.string().read(Bytes.of(record.key()));
          found[Integer.parseInt(account.substring(1))] =
              SUM.read(Bytes.of(record.value())).cents();
        });
    assertTrue(Arrays.equals(balances, found), "The balances are not those of the transfers.");
  }

  /// All that is committed in partition 0, in order, once the last commit is seen.
  private void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> each)
      throws InterruptedException {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> everything = consumer("read_uncommitted");
        KafkaConsumer<byte[], byte[]> committed = consumer("read_committed")) {
      long end = end(everything, partition);
      while (end(committed, partition) < end) {
        Thread.sleep(20);
      }
      committed.assign(List.of(partition));
      committed.seekToBeginning(List.of(partition));
      while (committed.position(partition) < end) {
        committed.poll(Duration.ofMillis(100)).forEach(each);
      }
    }
  }

  private static long end(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
    return consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
  }

  private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "isolation.level",
            isolation,
            "enable.auto.commit",
            false),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
