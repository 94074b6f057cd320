package dev.millrace.cli.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.cli.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The commands of `docs/guide/kubernetes.md`.
final class Guide {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
  private static final int PATIENCE_SECONDS = 400;

  private final Path directory;
  private final Path commands;
  private final List<String> blocks;

  /// @param directory in which they are executed
  /// @param kubectl its command
  /// @param bootstrap the address of Kafka, in place of that of the page
  Guide(Path directory, List<String> kubectl, String bootstrap) throws IOException {
    this.directory = directory;
    commands = Files.createDirectories(directory.resolve("bin"));
    script("kubectl", quoted(kubectl));
    script(
        "millrace",
        quoted(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                Main.class.getName())));
    String page = Files.readString(root().resolve("docs/guide/kubernetes.md"));
    assertTrue(page.contains("kafka:9092"));
    blocks =
        BLOCK
            .matcher(page.replace("kafka:9092", bootstrap))
            .results()
            .map(found -> found.group(1))
            .toList();
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(each -> Path.of(each).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path root() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("docs/guide/kubernetes.md"))) {
        return at;
      }
    }
    throw new AssertionError("There is no working copy around " + Path.of("").toAbsolutePath());
  }

  private static String quoted(List<String> command) {
    return command.stream().map(each -> "'" + each + "'").collect(Collectors.joining(" "));
  }

  private void script(String name, String command) throws IOException {
    Path file = commands.resolve(name);
    Files.writeString(file, "#!/usr/bin/env bash\nexec " + command + " \"$@\"\n");
    assertTrue(file.toFile().setExecutable(true));
  }

  /// Returns the blocks of commands, in their order.
  List<String> blocks() {
    return blocks;
  }

  /// Executes a block, and expects all its commands to succeed.
  void run(String block) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "guide", ".out");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", "set -euo pipefail\n" + block)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().merge("PATH", commands.toString(), (old, own) -> own + ":" + old);
    builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_"));
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    assertEquals(0, process.exitValue(), block + " says " + Files.readString(output));
  }
}
