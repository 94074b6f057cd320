package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoDirectoryTest {
  private static final List<String> KAFKA =
      List.of("kafka/broker.lock", "kafka/kafka/meta.properties", "kafka/kafka/flights-0/0.log");
  private static final List<String> STATE =
      List.of(
          "state/delayed-flights/home.id",
          "state/delayed-flights/LOCK",
          "state/delayed-flights/OWNER",
          "state/delayed-flights/locks/task-0-0",
          "state/delayed-flights/native/librocksdbjni.so",
          "state/delayed-flights/tasks/0-0/FORMAT");
  private static final List<String> FORMER_STATE =
      List.of(
          "state/delayed-flights/container-0.id",
          "state/delayed-flights/container-0/LOCK",
          "state/delayed-flights/container-0/tasks/0-0/FORMAT");

  @TempDir Path directory;

  private void write(List<String> files) throws IOException {
    for (String file : files) {
      Path path = directory.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, "x");
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private void assertRefused(String part) throws IOException {
    List<String> before = files();
    UserException refused =
        assertThrows(UserException.class, () -> DemoDirectory.of(directory).reset());
    assertEquals(ExitCode.USAGE, refused.exitCode());
    assertTrue(String.valueOf(refused.getMessage()).contains(part), refused::toString);
    assertEquals(before, files());
  }

  @Test
  void whatDemonstrationsLeaveIsRemovedAndNothingElse() throws IOException {
    write(KAFKA);
    write(STATE);
    write(List.of("notes"));
    DemoDirectory.of(directory).reset();
    assertEquals(List.of("notes"), files());
    assertFalse(Files.exists(directory.resolve("kafka")));
    DemoDirectory.of(directory).reset();

    write(KAFKA);
    write(FORMER_STATE);
    DemoDirectory.of(directory).reset();
    assertEquals(List.of("notes"), files());
  }

  @Test
  void aDirectoryThatOnlyHasTheSameNameStays() throws IOException {
    write(KAFKA);
    write(List.of("state/pom.xml", "state/src/main/java/State.java"));
    assertRefused(directory.resolve("state").toString());
  }

  @Test
  void aDirectoryWithSomethingElseBesideTheStateStays() throws IOException {
    write(STATE);
    write(List.of("state/delayed-flights/thesis.tex"));
    assertRefused(directory.resolve("state").toString());
  }

  @Test
  void aDirectoryWithoutTheLockOfABrokerStays() throws IOException {
    write(List.of("kafka/server.properties"));
    write(STATE);
    assertRefused(directory.resolve("kafka").toString());
  }

  @Test
  void whatAProcessUsesStays() throws IOException {
    write(KAFKA);
    write(STATE);
    write(FORMER_STATE);
    for (String lock : List.of(KAFKA.getFirst(), STATE.get(1), FORMER_STATE.get(1))) {
      try (FileChannel channel =
              FileChannel.open(directory.resolve(lock), StandardOpenOption.WRITE);
          FileLock held = channel.lock()) {
        assertTrue(held.isValid());
        assertRefused("in use");
      }
    }
  }
}
