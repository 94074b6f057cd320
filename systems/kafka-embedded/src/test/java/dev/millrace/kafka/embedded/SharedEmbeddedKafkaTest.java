package dev.millrace.kafka.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SharedEmbeddedKafkaTest {
  @TempDir Path temporaryFiles;

  /// In a process of its own, to see what its end leaves.
  @Test
  void allCallersShareOneBrokerThatIsGoneWithTheProcess() throws Exception {
    Process process = JavaProcess.start(temporaryFiles, TwoCallers.class);
    try {
      String said = process.inputReader().readLine();
      assertEquals("done", said, () -> "It said: " + process.errorReader().lines().toList());
      assertEquals(0, JavaProcess.exitStatus(process));
    } finally {
      process.destroyForcibly();
    }
    try (Stream<Path> left = Files.list(temporaryFiles)) {
      assertEquals(
          List.of(),
          left.filter(file -> file.toString().contains("shared-embedded-kafka")).toList());
    }
  }

  static final class TwoCallers {

    private TwoCallers() {}

    public static void main(String[] args) throws Exception {
      assertSame(SharedEmbeddedKafka.kafka(), SharedEmbeddedKafka.kafka());
      String servers = SharedEmbeddedKafka.bootstrapServers();
      String one = SharedEmbeddedKafka.uniqueName("orders");
      String other = SharedEmbeddedKafka.uniqueName("orders");
      assertNotEquals(one, other);
      KafkaClients.createTopic(servers, one);
      KafkaClients.createTopic(servers, other);
      KafkaClients.send(servers, one, "of one");
      KafkaClients.send(servers, other, "of other");
      assertEquals(List.of("of one"), KafkaClients.values(servers, one, 1));
      System.out.println("done");
      System.exit(0);
    }
  }
}
