package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.kafka.embedded.SharedTopics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
      String[] all = {topic + "-in", topic + "-members", "letters-of-" + topic};
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

  private Command create(String... arguments) throws IOException {
    Path config = Files.writeString(directory.resolve("millrace.yaml"), "");
    List<String> all = new ArrayList<>(List.of("topics", "create"));
    all.addAll(List.of("--bootstrap=" + bootstrapServers(), "--config=" + config));
    all.addAll(List.of(arguments));
    return Command.run(all.toArray(String[]::new));
  }

  private Command write(String input, String... arguments) throws IOException {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    try {
      List<String> all = new ArrayList<>(List.of(arguments));
      all.addAll(List.of("--write", topic));
      return topics("", all.toArray(String[]::new));
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void aTopicIsCreatedWithPartitionsAndSettings() throws IOException {
    Command created = create("--partitions=3", "--set", "cleanup.policy=compact", topic);
    assertEquals(ExitCode.DONE, created.status(), created.out());
    Command shown = topics("", topic);
    assertTrue(shown.out().contains(topic + " (cleanup.policy=compact)"), shown.out());
    assertEquals(3, shown.out().lines().filter(line -> line.matches("  [012] .*")).count());

    Command again = create(topic);
    assertEquals(ExitCode.USAGE, again.status(), again.out());
    assertTrue(again.out().contains(topic + "' exists"), again.out());
    Command wrong = create("--set", "cleanup.policy=compost", topic + "-2");
    assertEquals(ExitCode.USAGE, wrong.status(), wrong.out());
    assertTrue(wrong.out().contains("compost"), wrong.out());
  }

  @Test
  void linesAreWrittenWithKeysHeadersAndWithoutValue() throws IOException {
    create(topic);
    Command written =
        write(
            "a\tfirst\nb\tsecond\twith tab\na\t-\n",
            "--keys",
            "--null=-",
            "--header",
            "trace=t-1",
            "--header",
            "by=hand");
    assertEquals(ExitCode.DONE, written.status(), written.out());

    Command shown = topics("", "--tail=9", "--headers", topic);
    List<String> records =
        shown.out().lines().filter(line -> line.startsWith("  0:")).map(TopicsTest::end).toList();
    assertEquals(
        List.of(
            "a  first  trace=t-1  by=hand",
            "b  second.with tab  trace=t-1  by=hand",
            "a  -  trace=t-1  by=hand"),
        records);
  }

  /// What stands behind partition, offset and time.
  private static String end(String line) {
    return line.replaceFirst("  \\S+  \\S+  ", "");
  }

  @Test
  void aLineWithoutSeparatorIsNamed() throws IOException {
    create(topic);
    Command written = write("a:1\nb\n", "--keys", "--separator=:");
    assertEquals(ExitCode.USAGE, written.status(), written.out());
    assertTrue(written.out().contains("Line 2 has no ':'"), written.out());
  }

  @Test
  void howToWriteGoesWithWrite() throws IOException {
    assertEquals(ExitCode.USAGE, topics("", "--keys", topic).status());
  }

  @Test
  void recordsAreShownFromBothEndsOnce() throws IOException {
    create(topic);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      lines.append("k").append(i).append(":v").append(i).append('\n');
    }
    write(lines.toString(), "--keys", "--separator=:");

    assertEquals(List.of("k0  v0", "k1  v1", "  …", "k9  v9"), shown("--head=2", "--tail=1"));
    assertEquals(10, shown("--head=7", "--tail=7").size());
    assertEquals(List.of("k0  v0"), shown("--head=1"));
    assertEquals(List.of("0x6b30  0x7630"), shown("--head=1", "--as=hex"));
  }

  private List<String> shown(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(topic);
    return topics("", all.toArray(String[]::new))
        .out()
        .lines()
        .filter(line -> line.startsWith("  0:") || line.equals("  …"))
        .map(line -> line.equals("  …") ? line : end(line))
        .toList();
  }
}
