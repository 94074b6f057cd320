package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Does what `docs/first-hour.md` says: executes its commands in one shell, makes its change to the
/// code, and looks for what it promises to be seen. Millrace is installed in a repository that is
/// thrown away.
@Isolated
@Tag("thorough")
class FirstHourTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");
  private static final String MAIN = "com.example.wordcount.WordCount";

  /// It takes a minute; three times as long beside other work, and then some.
  private static final int PATIENCE_SECONDS = 400;

  @TempDir Path directory;

  @Test
  void everyCommandWorksAndShowsWhatThePageSays() throws IOException, InterruptedException {
    Path repository = directory.resolve("repository");
    String usual =
        System.getProperty(
            "localRepository",
            Path.of(System.getProperty("user.home"), ".m2/repository").toString());
    ThrowAwayRepository.make(repository, Path.of(usual));
    Path commands = Files.createDirectories(directory.resolve("bin"));
    script(
        commands.resolve("mvn"),
        "exec '%s' -B -o -Dmaven.repo.local='%s' \"$@\"".formatted(real("mvn"), repository));
    script(
        commands.resolve("millrace"),
        "exec '%s/bin/java' -Xmx256m -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -cp '%s' %s \"$@\""
            .formatted(
                System.getProperty("java.home"),
                System.getProperty("java.class.path"),
                Main.class.getName()));
    String port = Integer.toString(FreePorts.next());
    String page =
        Files.readString(ThrowAwayRepository.root().resolve("docs/first-hour.md"))
            .replace("9092", port);

    Path output = directory.resolve("output");
    int status = shell(allCommands(page, port), commands, output);
    String said = Files.readString(output);
    assertEquals(0, status, said);
    for (String line : promised(page)) {
      assertTrue(said.contains(line), () -> "No '" + line + "' in " + said);
    }
    runAsAnIdeWould(commands, port);
  }

  /// The commands of the page as one script.
  private static String allCommands(String page, String port) {
    StringBuilder script = new StringBuilder("set -euo pipefail\n");
    Matcher block = BLOCK.matcher(page);
    while (block.find()) {
      switch (block.group(1)) {
        case "sh" -> script.append(block.group(2));
        case "java" -> script.append(change(block.group(2).stripTrailing()));
        default -> {}
      }
      if (block.group(2).startsWith("millrace new")) {
        // Another port than the usual one, which may be taken.
        script.append("sed -i s/9092/").append(port).append("/ millrace.yaml\n");
      }
    }
    return script.toString();
  }

  /// Adds a line behind the filter, as a person would.
  private static String change(String line) {
    return "sed -i '/\\.filter(/a\\\n%s' src/main/java/%s.java\ngrep -q 'length() < 30' src/main/java/%s.java\n"
        .formatted(line.replaceFirst(" ", "\\\\ "), MAIN.replace('.', '/'), MAIN.replace('.', '/'));
  }

  private static List<String> promised(String page) {
    List<String> lines = new ArrayList<>();
    Matcher block = BLOCK.matcher(page);
    while (block.find()) {
      if (block.group(1).equals("text")) {
        block.group(2).lines().map(String::strip).forEach(lines::add);
      }
    }
    return lines;
  }

  private int shell(String script, Path commands, Path output)
      throws IOException, InterruptedException {
    // Whatever happens, nothing that was started stays.
    String all = "trap 'jobs -p | xargs -r kill -9' EXIT\n" + script;
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", all)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().merge("PATH", commands.toString(), (old, own) -> own + ":" + old);
    builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_"));
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroy();
      process.waitFor();
      throw new AssertionError("It does not come to its end: " + Files.readString(output));
    }
    return process.exitValue();
  }

  /// With the class path of the pom and no arguments.
  private void runAsAnIdeWould(Path commands, String port)
      throws IOException, InterruptedException {
    Path project = directory.resolve("word-count");
    Path classpath = project.resolve("target/classpath");
    Path output = directory.resolve("classpath-output");
    String plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath";
    int status =
        shell(
            "mvn -q -f word-count/pom.xml %s -Dmdep.outputFile=%s".formatted(plugin, classpath),
            commands,
            output);
    assertEquals(0, status, Files.readString(output));
    String all =
        String.join(
            File.pathSeparator,
            project.resolve("target/classes").toString(),
            Files.readString(classpath).strip());
    try (JavaProcess job = JavaProcess.start(project, List.of(), all, MAIN, List.of())) {
      job.awaitOutput("is RUNNING");
      assertTrue(job.output().contains("127.0.0.1:" + port + " (embedded"), job.output());
      assertTrue(job.output().lines().count() <= 15, job.output());
      job.terminate();
      assertEquals(0, job.status(), job.output());
    }
  }

  private static void script(Path file, String line) throws IOException {
    Files.writeString(file, "#!/usr/bin/env bash\n" + line + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }

  private static Path real(String command) {
    for (String entry : System.getenv("PATH").split(File.pathSeparator)) {
      Path path = Path.of(entry, command);
      if (Files.isExecutable(path)) {
        return path;
      }
    }
    throw new AssertionError("There is no " + command + " on the PATH.");
  }
}
