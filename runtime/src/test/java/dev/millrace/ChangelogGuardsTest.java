package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafka;
import dev.millrace.kafka.embedded.SharedTopics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a real Kafka can have done to the changelog while the job was down: it is refused with the
/// way out, and never taken for empty.
@Tag("thorough") // ReopeningTest shows the same on the model
class ChangelogGuardsTest {
  @TempDir Path directory;

  @Test
  void aChangelogThatWasRecreatedIsRefused() throws Exception {
    Numbers application = ranOnce("recreated");
    try (Admin admin = admin(bootstrapServers())) {
      admin.deleteTopics(List.of(changelog(application))).all().get();
      while (admin.listTopics().names().get().contains(changelog(application))) {
        Thread.sleep(20);
      }
    }
    refused(
        application,
        bootstrapServers(),
        "The topic was created again, or the address of another Kafka is configured.");
  }

  @Test
  void aChangelogWhoseBeginningWasDeletedIsRefused() throws Exception {
    Numbers application = ranOnce("truncated");
    String topic = changelog(application);
    TopicPartition partition = new TopicPartition(topic, 1);
    try (Admin admin = admin(bootstrapServers())) {
      // Kafka deletes no records of a topic that is compacted only.
      cleanUp(admin, topic, "compact,delete");
      long end =
          admin
              .listOffsets(Map.of(partition, OffsetSpec.latest()))
              .partitionResult(partition)
              .get()
              .offset();
      // All but the end of the last transaction: the state is not known to be beyond that.
      deleteBefore(admin, partition, end - 1);
      cleanUp(admin, topic, "compact");
    }
    // The state on disk needs nothing that is gone.
    Run atTheEnd = run(application, bootstrapServers(), directory);
    assertEquals(ExitCode.DONE, atTheEnd.status, atTheEnd.errors);
    refused(
        application, bootstrapServers(), directory.resolve("elsewhere"), "records were deleted");
  }

  /// A broker hears of another policy of a topic a while after it was set.
  private static void deleteBefore(Admin admin, TopicPartition partition, long offset)
      throws Exception {
    long begun = System.nanoTime();
    while (true) {
      try {
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset))).all().get();
        return;
      } catch (ExecutionException e) {
        boolean over = System.nanoTime() - begun > Duration.ofMinutes(1).toNanos();
        if (over || !(e.getCause() instanceof PolicyViolationException)) {
          throw e;
        }
        Thread.sleep(20);
      }
    }
  }

  private static void cleanUp(Admin admin, String topic, String policy) throws Exception {
    AlterConfigOp set =
        new AlterConfigOp(new ConfigEntry("cleanup.policy", policy), AlterConfigOp.OpType.SET);
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get();
  }

  /// As an election of a leader that lagged behind has it, or a disk of the broker that was lost.
  @Test
  void aChangelogThatLostItsEndIsRefused() throws Exception {
    Path kafka = directory.resolve("kafka");
    Numbers application = Numbers.bounded(uniqueName("shortened"));
    try (EmbeddedKafka broker = EmbeddedKafka.builder(kafka).start()) {
      write(broker.bootstrapServers(), application.in(), "1", "2", "3");
      assertEquals(ExitCode.DONE, run(application, broker.bootstrapServers(), directory).status);
    }
    forget(kafka, changelog(application));
    try (EmbeddedKafka broker = EmbeddedKafka.builder(kafka).start()) {
      refused(application, broker.bootstrapServers(), "records of the changelog were lost");
    }
  }

  private static void write(String bootstrap, String topic, String... values) throws Exception {
    try (Admin admin = admin(bootstrap);
        KafkaProducer<String, String> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap),
                new StringSerializer(),
                new StringSerializer())) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
      for (String value : values) {
        producer.send(new ProducerRecord<>(topic, value)).get();
      }
    }
  }

  /// Deletes what a stopped broker holds of a topic, and leaves the topic.
  private static void forget(Path kafka, String topic) throws IOException {
    int deleted = 0;
    try (Stream<Path> all = Files.walk(kafka)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        String name = each.getFileName().toString();
        if (Objects.requireNonNull(each.getParent()).getFileName().toString().startsWith(topic)
            && !name.equals("partition.metadata")) {
          Files.delete(each);
          deleted++;
        }
      }
    }
    assertTrue(deleted > 0);
  }

  @Test
  void anotherClusterIsRefused() throws Exception {
    Numbers application = ranOnce("elsewhere");
    try (EmbeddedKafka other = EmbeddedKafka.builder(directory.resolve("kafka")).start();
        Admin admin = admin(other.bootstrapServers())) {
      admin.createTopics(List.of(new NewTopic(application.in(), 1, (short) 1))).all().get();
      refused(application, other.bootstrapServers(), "the address of another Kafka is configured");
    }
  }

  @Test
  void aTransactionOfSomebodyElseInTheChangelogIsWaitedFor() throws Exception {
    Numbers application = Numbers.bounded(uniqueName("foreign"));
    SharedTopics.create(application.in(), 1);
    SharedTopics.write(application.in(), "1", "2");
    assertEquals(ExitCode.DONE, run(application, bootstrapServers(), directory).status);
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers(), "transactional.id", "somebody-else");
    try (KafkaProducer<byte[], byte[]> foreign =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      foreign.initTransactions();
      foreign.beginTransaction();
      foreign
          .send(new ProducerRecord<>(changelog(application), 1, new byte[] {0, 1, 7}, new byte[8]))
          .get();
      Thread ends =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  Thread.sleep(Duration.ofSeconds(5));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                foreign.abortTransaction();
              });
      long start = System.nanoTime();
      assertEquals(ExitCode.DONE, run(application, bootstrapServers(), directory).status);
      assertTrue(System.nanoTime() - start > Duration.ofSeconds(4).toNanos(), "It did not wait.");
      ends.join();
    }
    assertEquals(
        List.of("1", "3"),
        SharedTopics.read(application.out(), 2).stream().map(each -> each.value()).toList());
  }

  private record Run(int status, String errors) {}

  private static Run run(Numbers application, String bootstrap, Path state) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new Launch(application, new PrintStream(new ByteArrayOutputStream()), new PrintStream(err))
            .run(List.of("--bootstrap=" + bootstrap, "--state.directory=" + state), Map.of());
    return new Run(status, err.toString(StandardCharsets.UTF_8));
  }

  /// A job that has ended and left its state.
  private Numbers ranOnce(String name) {
    Numbers application = Numbers.bounded(uniqueName(name));
    SharedTopics.create(application.in(), 1);
    SharedTopics.write(application.in(), "1", "2", "3");
    assertEquals(ExitCode.DONE, run(application, bootstrapServers(), directory).status);
    return application;
  }

  private void refused(Numbers application, String bootstrap, String said) {
    refused(application, bootstrap, directory, said);
  }

  private static void refused(Numbers application, String bootstrap, Path state, String said) {
    Run run = run(application, bootstrap, state);
    assertEquals(ExitCode.USAGE, run.status, run.errors);
    assertTrue(run.errors.contains(said), run.errors);
    assertTrue(run.errors.contains(changelog(application)), run.errors);
  }

  private static String changelog(Numbers application) {
    return application.name() + "-changelog";
  }

  private static Admin admin(String bootstrap) {
    return Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap));
  }
}
