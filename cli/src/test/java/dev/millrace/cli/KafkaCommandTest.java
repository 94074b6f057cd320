package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The broker of the command, in a process of its own.
class KafkaCommandTest {
  @TempDir Path directory;

  @Test
  void theProcessEndsWithTheReasonWhenItsBrokerFails() throws Exception {
    Path data = directory.resolve("data");
    try (JavaProcess kafka =
        JavaProcess.start(
            directory,
            List.of(),
            System.getProperty("java.class.path"),
            Main.class.getName(),
            List.of("kafka", "--data=" + data, "--port=0"))) {
      kafka.awaitOutput("Ctrl-C stops it");
      Matcher address = Pattern.compile("at (\\S+:\\d+),").matcher(kafka.output());
      assertTrue(address.find(), kafka.output());
      // The disk is lost.
      Files.move(data.resolve("kafka"), directory.resolve("lost"));
      Files.writeString(data.resolve("kafka"), "no directory");
      try (Admin admin =
          Admin.create(Map.<String, Object>of("bootstrap.servers", address.group(1)))) {
        var _ = admin.createTopics(List.of(new NewTopic("any", Optional.of(1), Optional.empty())));
        assertEquals(ExitCode.FAILED, kafka.status(), kafka.output());
      }
      assertTrue(kafka.output().contains("has failed"), kafka.output());
      assertTrue(kafka.output().contains(data.toString()), kafka.output());
    }
  }
}
