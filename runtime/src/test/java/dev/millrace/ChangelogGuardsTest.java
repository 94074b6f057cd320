package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafka;
import dev.millrace.kafka.embedded.SharedTopics;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
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
    refused(application, bootstrapServers(), "It was recreated, or another Kafka is meant.");
  }

  @Test
  void aChangelogWhoseBeginningWasDeletedIsRefused() throws Exception {
    Numbers application = ranOnce("truncated");
    String topic = changelog(application);
    TopicPartition partition = new TopicPartition(topic, 1);
    try (Admin admin = admin(bootstrapServers())) {
      // Kafka deletes no records of a topic that is compacted only.
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, topic),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("cleanup.policy", "compact,delete"),
                          AlterConfigOp.OpType.SET))))
          .all()
          .get();
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-1))).all().get();
    }
    // The state on disk is at the end of the changelog, and needs nothing that is gone.
    assertEquals(ExitCode.DONE, run(application, bootstrapServers(), directory).status);
    refused(
        application, bootstrapServers(), directory.resolve("elsewhere"), "records were deleted");
  }

  @Test
  void anotherClusterIsRefused() throws Exception {
    Numbers application = ranOnce("elsewhere");
    try (EmbeddedKafka other = EmbeddedKafka.builder(directory.resolve("kafka")).start();
        Admin admin = admin(other.bootstrapServers())) {
      admin.createTopics(List.of(new NewTopic(application.in(), 1, (short) 1))).all().get();
      refused(application, other.bootstrapServers(), "another Kafka is meant");
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
