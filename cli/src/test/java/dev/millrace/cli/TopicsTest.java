package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.kafka.embedded.SharedTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The topics of a broker, by the command.
class TopicsTest {
  @TempDir Path directory;

  private final String topic = uniqueName("topics");

  private Command topics(String yaml, String... arguments) throws IOException {
    Path config = directory.resolve("millrace.yaml");
    Files.writeString(config, yaml);
    String[] all = new String[arguments.length + 3];
    all[0] = "topics";
    all[1] = "--bootstrap=" + bootstrapServers();
    all[2] = "--config=" + config;
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return Command.run(all);
  }

  @Test
  void timeoutsOfTheUserHold() throws IOException {
    SharedTopics.create(topic, 1);
    for (String timeout :
        new String[] {"request.timeout.ms: 30000", "default.api.timeout.ms: 5000"}) {
      Command run = topics("kafka." + timeout + "\n", topic);
      assertEquals(ExitCode.DONE, run.status(), run.out());
      assertTrue(run.out().contains(topic), run.out());
    }
  }

  @Test
  void thoseOfAnApplicationThatExistAreDescribed() throws IOException {
    System.setProperty(Numbers.NAME, topic);
    try {
      String[] all = {topic + "-in", topic + "-containers", "letters-of-" + topic};
      for (String each : all) {
        SharedTopics.create(each, 1);
      }
      SharedTopics.write(topic + "-in", "some text");
      String yaml = "errors.dead-letter-topic: letters-of-" + topic + "\n";
      Command tail = topics(yaml, "--of", Numbers.class.getName(), "--tail=1");
      assertEquals(ExitCode.DONE, tail.status(), tail.out());
      assertTrue(tail.out().contains("some text"), tail.out());
      Command list = topics(yaml, "--of", Numbers.class.getName());
      for (String each : all) {
        assertTrue(tail.out().contains(each), tail.out());
        assertTrue(list.out().contains(each), list.out());
      }
      assertFalse(tail.out().contains(topic + "-out"), tail.out());
    } finally {
      System.clearProperty(Numbers.NAME);
    }
  }

  @Test
  void providersOfTheUserGiveValuesToEveryClient() throws IOException {
    SharedTopics.create(topic, 1);
    SharedTopics.write(topic, "some text");
    Path secret = Files.createDirectories(directory.resolve("secrets")).resolve("protocol");
    Files.writeString(secret, "PLAINTEXT");
    Command run =
        topics(
            """
            kafka.config.providers: files
            kafka.config.providers.files.class: org.apache.kafka.common.config.provider.DirectoryConfigProvider
            kafka.security.protocol: ${files:%s:protocol}
            """
                .formatted(secret.getParent()),
            "--tail=1",
            topic);
    assertEquals(ExitCode.DONE, run.status(), run.out());
    assertTrue(run.out().contains("some text"), run.out());
    assertFalse(run.out().contains("PLAINTEXT"), run.out());
  }
}
