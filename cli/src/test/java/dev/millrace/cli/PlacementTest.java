package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.JobState;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.HttpConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The command that shows which process has which task.
class PlacementTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PARTITIONS = 4;

  @TempDir private Path directory;

  private final String name = uniqueName("placed");

  /// Passes words on.
  private record Words(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
          .to(Kafka.sink(name + "-out").partitions(1).value(Serdes.string()));
    }
  }

  private Job start(String home) {
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withPlacement(PlacementConfig.defaults().withStandbys(1))
            .withHttp(HttpConfig.on(0))
            .withState(StateConfig.in(directory.resolve(home)));
    return Millrace.start(new Words(name), config);
  }

  private Command placement(String... arguments) {
    List<String> all = new ArrayList<>(List.of("placement", name));
    all.add("--bootstrap=" + bootstrapServers());
    all.addAll(List.of(arguments));
    return Command.run(all.toArray(String[]::new));
  }

  @Test
  void eachTaskIsShownWithTheProcessThatHasIt() throws IOException, InterruptedException {
    Command unknown = placement();
    assertEquals(ExitCode.USAGE, unknown.status(), unknown.out());
    assertTrue(unknown.out().contains("Nothing is decided"), unknown.out());

    SharedTopics.create(name + "-in", PARTITIONS);
    try (Job first = start("a");
        Job second = start("b")) {
      for (Job each : List.of(first, second)) {
        Patience.await("It does not run.", PATIENCE, () -> each.state() == JobState.RUNNING);
      }
      Patience.await("The tasks are not shared.", PATIENCE, () -> owners(json()).size() == 2);
      JsonNode json = json();
      assertEquals(PARTITIONS, json.get("tasks").size(), json.toString());
      assertEquals(2, json.get("processes").size(), json.toString());
      int coordinators = 0;
      for (JsonNode process : json.get("processes")) {
        assertTrue(process.get("lives").asBoolean(), json.toString());
        assertEquals(ProcessHandle.current().pid(), process.get("pid").asLong());
        coordinators += process.get("coordinates").asBoolean() ? 1 : 0;
      }
      assertEquals(1, coordinators, json.toString());
      for (JsonNode task : json.get("tasks")) {
        assertEquals(1, task.get("followers").size(), json.toString());
        assertNotEquals(task.get("process"), task.get("followers").get(0), json.toString());
      }
      Command text = placement();
      assertEquals(ExitCode.DONE, text.status(), text.out());
      assertTrue(
          text.out().startsWith("'%s' has 4 tasks in 2 processes.".formatted(name)), text.out());
      owners(json).forEach(owner -> assertTrue(text.out().contains(owner), text.out()));
      assertTrue(text.out().contains("at work"), text.out());

      assertTrue(first.stop(PATIENCE));
      Patience.await("Its tasks stay.", PATIENCE, () -> owners(json()).size() == 1);
      String rest = placement().out();
      assertTrue(rest.contains("has ended"), rest);
      assertTrue(rest.contains("at work, handed over"), rest);
    }
  }

  /// What a process answers over HTTP.
  private static ObjectNode served(JsonNode process) {
    URI page = URI.create("http://" + process.get("http").asString() + "/placement");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode(), answer.body());
      assertEquals("application/json", answer.headers().firstValue("Content-Type").orElseThrow());
      return (ObjectNode) JsonMapper.builder().build().readTree(answer.body());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(page.toString(), e);
    }
  }

  /// Waits until each process that lives answers what the command prints, and says who it is.
  private void assertAllAnswerAsTheCommand(int living) {
    JsonNode[] last = new JsonNode[2];
    try {
      awaitSameAnswers(living, last);
    } catch (AssertionError e) {
      throw new AssertionError(last[0] + " is printed, and answered " + last[1], e);
    }
  }

  private void awaitSameAnswers(int living, JsonNode[] last) {
    Patience.await(
        "That all answer what is printed",
        PATIENCE,
        () -> {
          JsonNode printed = json();
          int answers = 0;
          for (JsonNode process : printed.get("processes")) {
            if (process.get("lives").asBoolean()) {
              ObjectNode answer = served(process);
              JsonNode by = answer.remove("answeredBy");
              assertEquals(process.get("name"), by.get("process"));
              last[0] = printed;
              last[1] = answer;
              boolean same =
                  answer.equals(printed)
                      && by.get("coordinates").equals(process.get("coordinates"))
                      && by.get("hearsAll").asBoolean();
              answers += same ? 1 : 0;
            }
          }
          return answers == living;
        });
  }

  @Test
  void eachProcessAnswersOverHttpWhatTheCommandPrints() throws InterruptedException {
    SharedTopics.create(name + "-in", PARTITIONS);
    try (Job first = start("a");
        Job second = start("b");
        Job third = start("c")) {
      for (Job each : List.of(first, second, third)) {
        Patience.await("It does not run.", PATIENCE, () -> each.state() == JobState.RUNNING);
      }
      Patience.await("The tasks are not shared.", PATIENCE, () -> owners(json()).size() == 3);
      assertAllAnswerAsTheCommand(3);
      String drained = owners(json()).first();
      assertSays(ExitCode.DONE, drain(drained), drained + " has no tasks of '" + name);
      assertAllAnswerAsTheCommand(3);
      assertEquals(drained, json().get("drained").get(0).asString());
      assertTrue(third.stop(PATIENCE));
      assertAllAnswerAsTheCommand(2);
    }
  }

  private Command drain(String... arguments) {
    List<String> all = new ArrayList<>(List.of("drain", name));
    all.addAll(List.of(arguments));
    all.add("--bootstrap=" + bootstrapServers());
    return Command.run(all.toArray(String[]::new));
  }

  private static void assertSays(int status, Command command, String part) {
    assertEquals(status, command.status(), command.out());
    assertTrue(command.out().contains(part), command.out());
  }

  @Test
  void aProcessThatIsDrainedHasNoTasksUntilThatIsTakenBack() throws InterruptedException {
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    try (Job first = start("a");
        Job second = start("b")) {
      for (Job each : List.of(first, second)) {
        Patience.await("It does not run.", PATIENCE, () -> each.state() == JobState.RUNNING);
      }
      Patience.await("The tasks are not shared.", PATIENCE, () -> owners(json()).size() == 2);
      String drained = owners(json()).first();
      assertSays(ExitCode.USAGE, drain("nobody"), "has no process 'nobody'");
      assertSays(ExitCode.DONE, drain(drained), drained + " has no tasks of '" + name);
      Patience.await("They do not go on.", PATIENCE, () -> owners(json()).size() == 1);
      assertEquals(false, owners(json()).contains(drained));
      assertSays(ExitCode.DONE, placement(), "yes, drained");
      SharedTopics.write(name + "-in", "1", "2", "3", "4", "5", "6", "7", "8");
      assertEquals(8, SharedTopics.read(name + "-out", 8).size());
      String host = json().get("processes").get(0).get("host").asString();
      assertSays(ExitCode.FAILED, drain(host), "No other process runs that may have them");
      assertEquals(1, owners(json()).size());
      assertSays(ExitCode.DONE, drain(host, "--undo"), host + " may have tasks");
      assertEquals(1, owners(json()).size());
      assertSays(ExitCode.DONE, drain(drained, "--undo"), "may have tasks");
      Patience.await("It gets no share.", PATIENCE, () -> owners(json()).size() == 2);
    }
  }

  private Command move(String... arguments) {
    List<String> all = new ArrayList<>(List.of("move", name));
    all.addAll(List.of(arguments));
    all.add("--bootstrap=" + bootstrapServers());
    return Command.run(all.toArray(String[]::new));
  }

  /// Returns whether a process has its state in a directory, by the id that is kept there.
  private boolean isIn(String home, String process) throws IOException {
    String id = Files.readString(directory.resolve(home).resolve(name).resolve("home.id"));
    return id.replace("-", "").startsWith(process.substring(0, process.indexOf('-')));
  }

  /// By task, the process that has it.
  private TreeMap<String, String> placed() {
    TreeMap<String, String> placed = new TreeMap<>();
    json()
        .get("tasks")
        .forEach(task -> placed.put(task.get("task").asString(), task.get("process").asString()));
    return placed;
  }

  @Test
  void aTaskThatIsMovedStaysWhereItIsWanted() throws IOException, InterruptedException {
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    try (Job first = start("a");
        Job second = start("b")) {
      for (Job each : List.of(first, second)) {
        Patience.await("It does not run.", PATIENCE, () -> each.state() == JobState.RUNNING);
      }
      Patience.await("The tasks are not shared.", PATIENCE, () -> owners(json()).size() == 2);
      TreeMap<String, String> before = placed();
      String task = before.firstKey();
      TreeSet<String> others = owners(json());
      others.remove(before.get(task));
      String other = others.first();
      assertSays(ExitCode.USAGE, move("9", other), "has no task '9'. Its tasks are 0, 1, 2, 3.");
      assertSays(ExitCode.USAGE, move(task, "nobody"), "has no process 'nobody' that runs");
      assertSays(ExitCode.USAGE, move(task), "Give either");
      assertSays(ExitCode.USAGE, move(task, other, "--undo"), "Give either");
      assertSays(ExitCode.DONE, move(task, other), "is at work in " + other + ", and stays there");
      before.put(task, other);
      assertEquals(before, placed());
      assertSays(ExitCode.DONE, placement(), "at work, as asked for");
      assertEquals(other, json().get("tasks").get(0).get("wanted").asString());
      assertAllAnswerAsTheCommand(2);
      SharedTopics.write(name + "-in", "1", "2", "3", "4", "5", "6", "7", "8");
      assertEquals(8, SharedTopics.read(name + "-out", 8).size());
      assertSays(ExitCode.DONE, move(task, "--undo"), "may be in any process again");
      assertEquals("", json().get("tasks").get(0).get("wanted").asString());

      assertSays(ExitCode.DONE, drain(other), other + " has no tasks of '" + name);
      assertSays(ExitCode.USAGE, move(task, other), other + " is drained, so it gets no tasks");
      assertSays(ExitCode.DONE, drain(other, "--undo"), "may have tasks");
      assertSays(ExitCode.DONE, move(task, other, "--no-wait"), "goes to " + other);
      assertSays(ExitCode.DONE, move(task, other), "is at work in " + other);
      Job wanted = isIn("a", other) ? first : second;
      assertTrue(wanted.stop(PATIENCE));
      assertSays(ExitCode.USAGE, move(task, other), "has no process '" + other + "' that runs");
      Patience.await("Its tasks stay.", PATIENCE, () -> owners(json()).size() == 1);
      assertEquals("", json().get("tasks").get(0).get("wanted").asString());
    }
  }

  private Command split(String... arguments) {
    List<String> all = new ArrayList<>(List.of("split", name));
    all.addAll(List.of(arguments));
    all.add("--bootstrap=" + bootstrapServers());
    return Command.run(all.toArray(String[]::new));
  }

  @Test
  void aTaskThatIsSplitIsShownWithItsNewOne() throws InterruptedException {
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    try (Job first = start("a");
        Job second = start("b")) {
      for (Job each : List.of(first, second)) {
        Patience.await("It does not run.", PATIENCE, () -> each.state() == JobState.RUNNING);
      }
      assertSays(ExitCode.USAGE, split("9"), "has no task '9'. Its tasks are 0, 1, 2, 3.");
      assertSays(
          ExitCode.DONE,
          split("2"),
          "Task 2 of '%s' is split: half of its keys are in task 4, which is at work in"
              .formatted(name));
      assertSays(ExitCode.DONE, placement(), "at work, split off from 2");
      assertEquals(2, json().get("tasks").get(4).get("splitOffFrom").asInt());
      assertAllAnswerAsTheCommand(2);
      SharedTopics.write(name + "-in", "1", "2", "3", "4", "5", "6", "7", "8");
      assertEquals(8, SharedTopics.read(name + "-out", 8).size());
      assertSays(ExitCode.DONE, split("4", "--no-wait"), "Task 4 of '" + name + "' is to be split");
      Patience.await("It is not split.", PATIENCE, () -> placed().size() == 6);
    }
    assertSays(ExitCode.USAGE, split("2"), "No process of '" + name + "' runs");
  }

  private JsonNode json() {
    Command json = placement("--json");
    assertEquals(ExitCode.DONE, json.status(), json.out());
    return JsonMapper.builder().build().readTree(json.out());
  }

  /// The processes that have a task which is at work.
  private static TreeSet<String> owners(JsonNode json) {
    TreeSet<String> owners = new TreeSet<>();
    for (JsonNode task : json.get("tasks")) {
      if (!task.get("is").asString().startsWith("at work")) {
        return new TreeSet<>(Set.of());
      }
      owners.add(task.get("process").asString());
    }
    return owners;
  }
}
