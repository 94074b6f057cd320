package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The image of a new project, which its pom makes without Docker. It is unpacked and run as a pod
/// is: as a user without rights, and on a file system that cannot be written. In place of the base
/// image there is the `/usr` of this machine.
@Tag("thorough")
class ImageTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String USER = "10001";
  private static final int PATIENCE_SECONDS = 400;

  @TempDir Path directory;

  @Test
  void itIsTheSameFromTheSameClassesAndRuns() throws IOException, InterruptedException {
    for (String program : List.of("bwrap", "setpriv")) {
      Assumptions.assumeTrue(
          Stream.of(System.getenv("PATH").split(":"))
              .anyMatch(path -> Files.isExecutable(Path.of(path, program))),
          "Left out, as there is no " + program + ": apt-get install bubblewrap util-linux");
    }
    Path repository = directory.resolve("repository");
    Path usual = Path.of(System.getProperty("user.home"), ".m2/repository");
    ThrowAwayRepository.make(
        repository, Path.of(System.getProperty("localRepository", usual.toString())));
    Path image = build("first", repository);
    assertArrayEquals(
        Files.readAllBytes(image.resolve("index.json")),
        Files.readAllBytes(build("second", repository).resolve("index.json")),
        "Two builds of the same classes differ.");
    runs(image);
  }

  /// Returns the image, out of its archive.
  private Path build(String name, Path repository) throws IOException, InterruptedException {
    Path project = directory.resolve(name).resolve("word-count");
    new Starter("com.example", "word-count").writeTo(project);
    run(
        project,
        List.of(
            "mvn",
            "-B",
            "-q",
            "-Dmaven.repo.local=" + repository,
            "-DskipTests",
            "-Djib.from.image=scratch",
            "package",
            "jib:buildTar"));
    Path image = Files.createDirectories(directory.resolve(name).resolve("image"));
    run(image, List.of("tar", "-xf", project.resolve("target/jib-image.tar").toString()));
    return image;
  }

  private void run(Path where, List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "command", ".out");
    Process process =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      process.waitFor();
    }
    assertEquals(0, process.exitValue(), () -> command + " failed: " + text(output));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode blob(Path image, JsonNode of) {
    return JSON.readTree(text(blobFile(image, of)));
  }

  private static Path blobFile(Path image, JsonNode of) {
    return image.resolve("blobs").resolve(of.get("digest").asString().replace(':', '/'));
  }

  private void runs(Path image) throws IOException, InterruptedException {
    JsonNode index = JSON.readTree(text(image.resolve("index.json")));
    JsonNode manifest = blob(image, index.get("manifests").get(0));
    Path root = Files.createDirectories(directory.resolve("root"));
    for (JsonNode layer : manifest.get("layers")) {
      run(root, List.of("tar", "-xzf", blobFile(image, layer).toString()));
    }
    JsonNode config = blob(image, manifest.get("config")).get("config");
    assertEquals(USER + ":" + USER, config.get("User").asString());
    Path temporary = Files.createDirectories(directory.resolve("pod"));
    Files.setAttribute(temporary, "unix:uid", Integer.parseInt(USER));
    Path output = directory.resolve("pod.out");
    Process process =
        new ProcessBuilder(command(root, temporary, config))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      SharedTopics.create("lines", 2);
      SharedTopics.write("lines", "the mill and the race");
      Patience patience = Patience.of(Duration.ofSeconds(60));
      while (!Stream.of("and  1", "mill  1", "race  1", "the  2").allMatch(counts()::contains)) {
        assertFalse(patience.isOver(), () -> "There is only " + counts());
        patience.pause();
      }
      own(process).forEach(ProcessHandle::destroy);
      assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> text(output));
      assertEquals(ExitCode.DONE, process.exitValue(), () -> text(output));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + " It has said: " + text(output), e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String counts() {
    return Command.run("topics", "--bootstrap", bootstrapServers(), "--tail", "9", "word-counts")
        .out();
  }

  /// The process in the innermost name space.
  private static Stream<ProcessHandle> own(Process process) {
    return process.descendants().filter(each -> each.children().findAny().isEmpty());
  }

  private static List<String> command(Path root, Path temporary, JsonNode config) {
    List<String> command =
        new ArrayList<>(List.of("bwrap", "--die-with-parent", "--unshare-pid", "--clearenv"));
    command.addAll(List.of("--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev"));
    for (String each : List.of("bin", "lib", "lib64", "sbin")) {
      command.addAll(List.of("--symlink", "usr/" + each, "/" + each));
    }
    String java = System.getProperty("java.home");
    command.addAll(List.of("--ro-bind", java, java, "--ro-bind", "/etc/hosts", "/etc/hosts"));
    command.addAll(List.of("--ro-bind", root.resolve("app").toString(), "/app"));
    command.addAll(List.of("--bind", temporary.toString(), "/tmp", "--chdir", "/tmp"));
    command.addAll(List.of("--setenv", "PATH", java + "/bin:/usr/bin"));
    command.addAll(List.of("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"));
    config.get("Entrypoint").forEach(each -> command.add(each.asString()));
    command.addAll(List.of("--bootstrap=" + bootstrapServers(), "--state.directory=/tmp/state"));
    return command;
  }
}
