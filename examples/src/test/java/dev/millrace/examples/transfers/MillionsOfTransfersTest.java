package dev.millrace.examples.transfers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.Job;
import dev.millrace.JobState;
import dev.millrace.Millrace;
import dev.millrace.api.connector.Start;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.examples.crash.BrokerProcess;
import dev.millrace.examples.transfers.Transfers.Sum;
import dev.millrace.examples.transfers.Transfers.Transfer;
import dev.millrace.kafka.embedded.NewTopics;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Ten million transfers, or as many as the system property `millrace.transfers` says, whose times
/// are out of order by up to ten seconds, on a real Kafka: every sum over all balances that is
/// committed is zero. It runs alone in its JVM: beside others 15 minutes were not enough.
@Isolated
@Tag("thorough")
class MillionsOfTransfersTest {
  private static final int TRANSFERS = Integer.getInteger("millrace.transfers", 10_000_000);
  private static final int ACCOUNTS = 1_000;
  private static final int PARTITIONS = 4;
  private static final int A_SECOND = 20_000;

  /// So many are enough to see that sums are wrong without ticks.
  private static final int FEW = 200_000;

  /// Less than the job would take, as the JVM of tests is small.
  private static final long MEMORY_BYTES = 128L << 20;

  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final Serde<Transfer> TRANSFER = Serdes.record(Transfer.class);
  private static final Serde<Sum> SUM = Serdes.record(Sum.class);

  @TempDir private Path directory;

  /// What came of a job.
  ///
  /// @param sums how many were written
  /// @param wrong how many of them were not zero, or had only one entry of a transfer
  /// @param largest how far from zero
  private record Outcome(int sums, int wrong, long largest) {}

  @Test
  void everySumThatIsCommittedIsZero() throws Exception {
    try (BrokerProcess kafka = new BrokerProcess(directory)) {
      createTopics(kafka.bootstrap());
      Outcome consistent = run(new Transfers(true), TRANSFERS, kafka.bootstrap());
      assertEquals(0, consistent.wrong, consistent::toString);
      assertTrue(consistent.sums >= 3 * (TRANSFERS / A_SECOND), consistent::toString);
      Outcome atOnce = run(new Transfers(false), Math.min(TRANSFERS, FEW), kafka.bootstrap());
      assertTrue(atOnce.wrong > 0, "Without ticks sums are wrong in between: " + atOnce);
    }
  }

  private static void createTopics(String bootstrap) throws Exception {
    List<NewTopic> topics = new ArrayList<>();
    for (Transfers application : List.of(new Transfers(true), new Transfers(false))) {
      topics.add(new NewTopic(application.topic("in"), Optional.of(PARTITIONS), Optional.empty()));
      for (String results : results()) {
        topics.add(
            new NewTopic(application.topic(results), Optional.of(1), Optional.empty())
                .configs(Map.of("message.timestamp.after.max.ms", "9223372036854775807")));
      }
    }
    NewTopics.create(bootstrap, topics);
  }

  private static List<String> results() {
    List<String> all = new ArrayList<>(Transfers.SUMS);
    all.add("balances");
    return all;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // flush() waits, and a failure is seen by the count
  private static long[] load(String topic, int count, String bootstrap) {
    long[] balances = new long[ACCOUNTS];
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
        producer.send(new ProducerRecord<>(topic, partition, null, out.toByteArray()));
      }
      producer.flush();
    }
    return balances;
  }

  private Outcome run(Transfers application, int count, String bootstrap) throws Exception {
    long[] balances = load(application.topic("in"), count, bootstrap);
    JobConfig config =
        JobConfig.of(bootstrap)
            .withInput(InputConfig.defaults().withStart(Start.earliest()))
            .withMemory(MemoryConfig.of(MEMORY_BYTES))
            .withState(
                StateConfig.in(directory.resolve(application.name()))
                    .withFlushInterval(Duration.ofSeconds(1)));
    long begun = System.nanoTime();
    try (Job job = Millrace.start(application, config)) {
      assertTrue(job.await(PATIENCE), () -> application.name() + " is " + job.state());
      assertEquals(JobState.COMPLETED, job.state(), () -> String.valueOf(job.failure()));
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    requireBalances(balances, application, bootstrap);
    int sums = 0;
    int wrong = 0;
    long largest = 0;
    for (String topic : Transfers.SUMS) {
      List<Sum> all = new ArrayList<>();
      read(
          bootstrap,
          application.topic(topic),
          record -> all.add(SUM.read(Bytes.of(record.value()))));
      for (Sum sum : all) {
        sums++;
        wrong += sum.cents() == 0 && sum.entries() % 2 == 0 ? 0 : 1;
        largest = Math.max(largest, Math.abs(sum.cents()));
      }
      assertEquals(new Sum(0, 2L * count), all.getLast(), topic);
    }
    System.out.printf(
        "transfers: %s, %,d transfers in %d s, %,d sums committed, %,d of them not zero, the"
            + " largest %,d%n",
        application.name(), count, took.toSeconds(), sums, wrong, largest);
    return new Outcome(sums, wrong, largest);
  }

  private static void requireBalances(long[] balances, Transfers application, String bootstrap)
      throws InterruptedException {
    long[] found = new long[ACCOUNTS];
    read(
        bootstrap,
        application.topic("balances"),
        record -> {
          String account = Serdes.string().read(Bytes.of(record.key()));
          found[Integer.parseInt(account.substring(1))] =
              SUM.read(Bytes.of(record.value())).cents();
        });
    assertTrue(Arrays.equals(balances, found), "The balances are not those of the transfers.");
  }

  /// All that is committed in partition 0, in order, once the last commit is seen.
  private static void read(
      String bootstrap, String topic, Consumer<ConsumerRecord<byte[], byte[]>> each)
      throws InterruptedException {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> everything = consumer(bootstrap, "read_uncommitted");
        KafkaConsumer<byte[], byte[]> committed = consumer(bootstrap, "read_committed")) {
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

  private static KafkaConsumer<byte[], byte[]> consumer(String bootstrap, String isolation) {
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
