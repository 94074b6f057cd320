package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.examples.flights.DelayedFlights;
import dev.millrace.examples.trending.TrendingTags;
import dev.millrace.spi.LocalBroker;
import dev.millrace.spi.LogException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command without a Kafka.
class MainTest {
  @TempDir Path directory;

  private static void assertMistake(String part, String... arguments) {
    Command run = Command.run(arguments);
    assertEquals(ExitCode.USAGE, run.status(), run.out());
    assertTrue(run.out().contains(part), () -> "No '" + part + "' in " + run.out());
    assertFalse(run.out().contains("\tat "), run.out());
  }

  @Test
  void everyCommandHasHelpThatSaysWhatItDoes() {
    Main.commandLine()
        .getSubcommands()
        .forEach((name, command) -> {
          Command run = Command.run(name, "--help");
          assertEquals(ExitCode.DONE, run.status(), name);
          assertTrue(run.out().contains("Usage: millrace " + name), run.out());
          assertTrue(Command.run("--help").out().contains("\n  " + name + " "), name);
        });
  }

  @Test
  void theVersionNamesTheCommit() {
    String text = Command.run("--version").out();
    assertTrue(text.matches("(?s)Millrace \\S+ \\(\\S+\\)\\RJDK .*"), text);
  }

  @Test
  void anUnknownCommandGetsASuggestionAndNoneTheUsage() {
    assertMistake("Did you mean: millrace demo", "demp");
    assertMistake("Which command?");
    assertMistake("--mermiad", "plan", "--mermiad", "X");
  }

  @Test
  void aPlanIsShownAsTextAndAsAChart() {
    Command text =
        Command.run("plan", "--partitions=profile-updates=3", TrendingTags.class.getName());
    assertEquals(ExitCode.DONE, text.status(), text.out());
    assertTrue(text.out().contains("stage 0: 3 tasks, 0-0 to 0-2"), text.out());
    Command chart = Command.run("plan", DelayedFlights.class.getName(), "--mermaid");
    assertTrue(chart.out().startsWith("flowchart LR\n"), chart.out());
    assertTrue(chart.out().contains("by-airport"), chart.out());
  }

  @Test
  void aClassThatIsNoApplicationIsSaidSo() throws IOException {
    assertMistake("There is no class foo.Bar", "plan", "foo.Bar");
    assertMistake("is not an application", "plan", "java.lang.String");
    assertMistake("has no constructor", "run", WithoutConstructor.class.getName());
    assertMistake("does not exist", "plan", "--classpath", "none.jar", "foo.Bar");
    Files.writeString(directory.resolve("a.jar"), "no jar");
    assertMistake("There is no class foo.Bar in", "plan", "-cp", directory + "/*", "foo.Bar");
    assertMistake("at least one partition", "plan", "--partitions=a=0", "foo.Bar");
    assertMistake(
        "did you mean 'profile-updates'?",
        "plan",
        "--partitions=profile-updtaes=8",
        TrendingTags.class.getName());
  }

  @Test
  void windowsThatCannotBeAreAMistakeOfTheApplication() {
    assertMistake("would have gaps between them", "plan", Gaps.class.getName());
  }

  /// Has windows that do not meet.
  public static final class Gaps implements StreamApplication {
    @Override
    public String name() {
      return "gaps";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.string()).value(Serdes.string()))
          .groupByKey()
          .window(Windows.hopping(Duration.ofMinutes(1), Duration.ofMinutes(2)))
          .count("counts");
    }
  }

  record WithoutConstructor(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {}
  }

  @Test
  void theConfigurationIsShownWithItsOrigin() {
    Command run =
        Command.run(
            "config",
            "--commit.interval=5s",
            "--kafka.ssl.truststore.password=hunter2",
            "--workers=3");
    assertEquals(ExitCode.DONE, run.status(), run.out());
    assertTrue(
        run.out().matches("(?s).*commit\\.interval +5s +flag --commit\\.interval\\R.*"), run.out());
    assertTrue(run.out().matches("(?s).*topics\\.create +true +default\\R.*"), run.out());
    assertTrue(run.out().matches("(?s).*placement\\.workers +3 +flag --workers\\R.*"), run.out());
    assertTrue(run.out().contains("********"), run.out());
    assertFalse(run.out().contains("hunter2"), run.out());
    assertMistake("did you mean '--commit.interval'?", "config", "--comit.interval=5s");
    assertTrue(Command.run("config", "--explain").out().contains("stop.timeout"));
  }

  @Test
  void topicsNeedToKnowWhereKafkaIs() {
    assertMistake("Give --bootstrap", "topics");
    assertMistake("--tail must be at least 0", "topics", "--tail=-1");
    assertMistake("takes one topic", "topics", "--write");
    assertMistake("--port is 70000", "kafka", "--port=70000");
  }

  @Test
  void aPortThatIsNoneCostsADemonstrationNothing() throws IOException {
    Path lock = Files.createDirectories(directory.resolve("kafka")).resolve("broker.lock");
    Files.writeString(lock, "");
    assertMistake(
        "--port is 70000", "demo", "--data=" + directory, "--port=70000", "--reset", "--verify");
    assertTrue(Files.exists(lock));
  }

  @Test
  void whatKafkaRefusesADemonstrationIsSaidInWords() {
    LocalBroker broken = new NoBroker(directory);
    StringWriter text = new StringWriter();
    UserException failure =
        assertThrows(
            UserException.class,
            () ->
                new DemoCommand()
                    .run(broken, DemoDirectory.of(directory), new PrintWriter(text, true)));
    assertEquals(ExitCode.FAILED, failure.exitCode());
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("bootstrap"), message);
  }

  /// A broker at an address that no client takes.
  private record NoBroker(Path directory) implements LocalBroker {
    @Override
    public String bootstrapServers() {
      return "no-such-host.invalid:1";
    }

    @Override
    public String clusterId() {
      return "none";
    }

    @Override
    public CompletionStage<LogException> failure() {
      return new CompletableFuture<>();
    }

    @Override
    public void close() {}
  }

  @Test
  void aNewProjectHasOnePomOneClassAndOneTest() throws IOException {
    Path project = directory.resolve("my-shop");
    Command run = Command.run("new", project.toString(), "--group", "org.acme");
    assertEquals(ExitCode.DONE, run.status(), run.out());
    String pom = Files.readString(project.resolve("pom.xml"));
    assertTrue(pom.contains("<artifactId>my-shop</artifactId>"), pom);
    assertFalse(pom.contains("@"), pom);
    Path main = project.resolve("src/main/java/org/acme/myshop/WordCount.java");
    assertTrue(Files.readString(main).startsWith("package org.acme.myshop;"));
    assertTrue(Files.exists(project.resolve("src/test/java/org/acme/myshop/WordCountTest.java")));
    assertTrue(run.out().contains("org.acme.myshop.WordCount"), run.out());

    assertMistake("is not an empty directory", "new", project.toString());
    assertMistake("--name", "new", directory.resolve("2nd").toString());
    assertMistake("--group", "new", directory.resolve("a").toString(), "--group=A B");
    assertMistake("'enum'", "new", directory.resolve("enum").toString());
    assertMistake("'class'", "new", directory.resolve("a").toString(), "--name=cla-ss");
    assertMistake("'int'", "new", directory.resolve("a").toString(), "--group=org.int.acme");
    assertFalse(Files.exists(directory.resolve("enum")));
  }

  @Test
  void aNewProjectCompilesWithoutWarnings() throws IOException {
    Path project = directory.resolve("my-shop");
    assertEquals(ExitCode.DONE, Command.run("new", project.toString()).status());
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-Xlint:all,-path", "-Werror"));
    arguments.addAll(List.of("-d", directory.resolve("classes").toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    try (Stream<Path> files = Files.walk(project)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, arguments.toArray(String[]::new));
    assertEquals(0, status, said.toString(StandardCharsets.UTF_8));
  }
}
