package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The benchmarks run, on sizes that say nothing.
class BenchTest {
  @TempDir private Path directory;

  @Test
  @Tag("thorough")
  void recoveryGivesATableAndAPlot() throws IOException {
    Path svg = directory.resolve("recovery.svg");
    Command bench =
        Command.run("bench", "recovery", "--runs", "1", "--keys", "1000", "--svg", svg.toString());
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("50 %, changelog"), bench::out);
    assertTrue(Files.readString(svg).contains("<polyline"));
  }

  @Test
  @Tag("thorough")
  void restoreGivesATableAndJson() throws IOException {
    Path json = directory.resolve("restore.json");
    Command bench =
        Command.run(
            "bench", "restore", "--runs", "1", "--tuples", "2000", "--json", json.toString());
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("retaining"), bench::out);
    assertTrue(Files.readString(json).contains("\"windows\" : \"retaining\""));
  }

  @Test
  @Tag("thorough")
  void commitComparesGuarantees() {
    Command bench =
        Command.run("bench", "commit", "--runs", "1", "--keys", "100", "--records", "20000");
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("exactly-once, no changelog"), bench::out);
  }

  @Test
  @Tag("thorough")
  void stateComparesDiskAndMemory() {
    Command bench =
        Command.run(
            "bench",
            "state",
            "--runs",
            "2",
            "--cached-keys",
            "100",
            "--large-keys",
            "20000",
            "--records",
            "20000");
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("on disk, ten times the cache"), bench::out);
  }

  @Test
  @Tag("thorough")
  void startsAreMeasuredAndChecked() throws IOException {
    Path json = directory.resolve("start.json");
    Command bench = Command.run("bench", "start", "--runs", "1", "--json", json.toString());
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("was killed   direct"), bench::out);
    // This process was not started by the launcher.
    assertTrue(bench.out().contains("./millrace sets them"), bench::out);
    assertTrue(Files.readString(json).contains("\"firstRecordMs\""));
  }

  @Test
  @Tag("thorough")
  void tasksAreCompared() throws IOException {
    Path json = directory.resolve("tasks.json");
    Command bench =
        Command.run(
            "bench",
            "tasks",
            "--tasks",
            "2,8",
            "--records",
            "20000",
            "--keys",
            "100",
            "--runs",
            "1",
            "--json",
            json.toString());
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("times the CPU"), bench::out);
    assertTrue(Files.readString(json).contains("\"timesTheCpu\""));
  }

  @Test
  @Tag("thorough")
  void pausesAndTheWayBehindAbortedCommitsAreMeasured() throws IOException {
    Path json = directory.resolve("pauses.json");
    Command bench =
        Command.run(
            "bench",
            "pauses",
            "--records",
            "3000000",
            "--keys",
            "1000",
            "--runs",
            "1",
            "--json",
            json.toString());
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("to progress p50 ms"), bench::out);
    assertFalse(bench.out().contains("NaN"), "nothing was aborted: " + bench.out());
    assertTrue(Files.readString(json).contains("\"longestPauseMs\""));
  }

  /// So few records cannot show that metrics cost little.
  @Test
  @Tag("thorough")
  void whatMetricsCostMustBeShown() throws IOException {
    Path json = directory.resolve("metrics.json");
    Command bench =
        Command.run(
            "bench",
            "metrics",
            "--records",
            "20000",
            "--keys",
            "100",
            "--runs",
            "1",
            "--json",
            json.toString());
    assertEquals(1, bench.status(), bench::out);
    assertTrue(bench.out().contains("records are counted by key"), bench::out);
    assertTrue(Files.readString(json).contains("\"samplesInMetrics\""));
  }

  @Test
  void anEngineThatDoesNotExistIsRefused() {
    Command bench = Command.run("bench", "restore", "--engines", "samza");
    assertEquals(2, bench.status(), bench::out);
    assertTrue(bench.out().contains("millrace, millrace-snapshots"), bench::out);
  }

  @Test
  void scenariosRefuseWhatThereIsNot() {
    Command engine = Command.run("bench", "scenarios", "--engines", "storm");
    assertEquals(2, engine.status(), engine::out);
    assertTrue(engine.out().contains("by-hand"), engine::out);
    Command scenario = Command.run("bench", "scenarios", "--scenarios", "sort");
    assertEquals(2, scenario.status(), scenario::out);
    assertTrue(scenario.out().contains("count-disk-changelog"), scenario::out);
    Command cache = Command.run("bench", "scenarios", "--page-cache", "half");
    assertEquals(2, cache.status(), cache::out);
    assertTrue(cache.out().contains("choices are full and as-is"), cache::out);
    Command bytes = Command.run("bench", "scenarios", "--record-bytes", "8");
    assertEquals(2, bytes.status(), bytes::out);
    assertTrue(bytes.out().contains("it needs at least 25"), bytes::out);
  }

  @Test
  @Tag("thorough")
  void scenariosCountRightAndGiveResults() throws IOException {
    Path json = directory.resolve("scenarios.json");
    Command bench =
        Command.run(
            "bench",
            "scenarios",
            "--engines",
            "millrace,millrace-official,millrace-direct-exchanges,by-hand",
            "--keys",
            "1000",
            "--records",
            "20000",
            "--runs",
            "1",
            "--page-cache",
            "as-is",
            "--json",
            json.toString(),
            "--profile",
            directory.resolve("profiles").toString());
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("not written by hand"), bench::out);
    assertTrue(bench.out().contains("processor time of millrace, pass"), bench::out);
    assertTrue(Files.exists(directory.resolve("profiles/by-hand-count-memory-1000.jfr")));
    assertTrue(Files.readString(json).contains("\"cpuSecondsPerMillion\""));
    assertTrue(Files.readString(json).contains("\"brokerCpuSecondsPerMillion\""));
  }

  @Test
  void compactionRefusesWhatThereIsNot() {
    Command policy = Command.run("bench", "compaction", "--policies", "eager");
    assertEquals(2, policy.status(), policy::out);
    assertTrue(policy.out().contains("none, relaxed, aggressive"), policy::out);
    Command seconds = Command.run("bench", "compaction", "--seconds", "0");
    assertEquals(2, seconds.status(), seconds::out);
  }

  @Test
  @Tag("thorough")
  void compactionCountsRightAndGivesResultsAndPlots() throws IOException {
    Path json = directory.resolve("compaction.json");
    Path svg = directory.resolve("compaction.svg");
    Command bench =
        Command.run(
            "bench",
            "compaction",
            "--runs",
            "1",
            "--seconds",
            "1",
            "--rate",
            "5000",
            "--policies",
            "aggressive",
            "--json",
            json.toString(),
            "--svg",
            svg.toString());
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("per-update"), bench::out);
    assertTrue(
        Files.readString(json).contains("\"scenario\" : \"retaining-aggressive\""), bench::out);
    assertTrue(Files.readString(svg).contains("folding, aggressive"));
  }

  @Test
  void localStateRefusesWhatThereIsNot() {
    Command state = Command.run("bench", "local-state", "--states", "on-paper");
    assertEquals(2, state.status(), state::out);
    assertTrue(state.out().contains("on-disk-no-cache, remote"), state::out);
    Command keys = Command.run("bench", "local-state", "--keys", "0");
    assertEquals(2, keys.status(), keys::out);
  }

  @Test
  @Tag("thorough")
  void localStateCountsAndJoinsRightAndGivesResults() throws IOException {
    Path json = directory.resolve("local-state.json");
    Command bench =
        Command.run(
            "bench",
            "local-state",
            "--runs",
            "1",
            "--keys",
            "500",
            "--records",
            "20000",
            "--states",
            "in-memory-changelog,on-disk,on-disk-no-cache",
            "--json",
            json.toString());
    assertEquals(0, bench.status(), bench::out);
    assertTrue(bench.out().contains("on-disk-no-cache"), bench::out);
    assertTrue(Files.readString(json).contains("\"scenario\" : \"read-only-on-disk\""), bench::out);
  }

  @Test
  void changeRefusesWhatThereIsNot() {
    Command size = Command.run("bench", "change", "--state", "10TB");
    assertEquals(2, size.status(), size::out);
    assertTrue(size.out().contains("such as 10GB"), size::out);
    Command engine = Command.run("bench", "change", "--engines", "samza");
    assertEquals(2, engine.status(), engine::out);
    assertTrue(engine.out().contains("millrace, flink, kstreams"), engine::out);
    Command change = Command.run("bench", "change", "--changes", "add-column");
    assertEquals(2, change.status(), change::out);
    assertTrue(change.out().contains("add-field, rename-operator"), change::out);
    Command back = Command.run("bench", "change", "--changes", "roll-back");
    assertEquals(2, back.status(), back::out);
    assertTrue(back.out().contains("nothing before it"), back::out);
  }

  /// Changes a program with little state, and returns what was measured of each change.
  ///
  /// @param changes that are done; empty for all
  private List<JsonNode> changed(String... changes) throws IOException {
    Path json = directory.resolve("change.json");
    Path svg = directory.resolve("change.svg");
    List<String> arguments = new ArrayList<>(List.of("bench", "change", "--engines", "millrace"));
    arguments.addAll(List.of("--state", "1MB", "--rate", "200", "--seconds", "0"));
    arguments.addAll(List.of("--work", "2000", "--runs", "1"));
    arguments.addAll(List.of("--json", json.toString(), "--svg", svg.toString()));
    if (changes.length > 0) {
      arguments.addAll(List.of("--changes", String.join(",", changes)));
    }
    Command bench = Command.run(arguments.toArray(String[]::new));
    assertEquals(0, bench.status(), bench::out);
    assertTrue(Files.readString(svg).contains("<polyline"));
    List<JsonNode> results =
        JsonMapper.shared().readTree(Files.readString(json)).get("results").valueStream().toList();
    for (JsonNode each : results) {
      String change = each.get("change").stringValue();
      assertEquals(0, each.get("wrongRows").intValue(), change);
      assertTrue(first(each, "comparingMs") > 0, "the start was not watched: " + change);
      assertTrue(first(each, "changelogEntries") > 0, "nothing was read: " + change);
      if (!change.startsWith("migrate")) {
        assertEquals(0, first(each, "changelogBytesBecauseOfIt"), change);
      }
    }
    return results;
  }

  private static double first(JsonNode result, String name) {
    JsonNode value = result.get(name).get(0);
    return value.isNull() ? Double.NaN : value.doubleValue();
  }

  /// The changes that have a number which is above 0.
  private static List<String> with(List<JsonNode> results, String name) {
    return results.stream()
        .filter(each -> first(each, name) > 0)
        .map(each -> each.get("change").stringValue())
        .toList();
  }

  @Test
  void changesKeepTheStateAndWriteNothing() throws IOException {
    List<JsonNode> results = changed("add-field", "roll-back");
    assertEquals(
        List.of("none", "add-field", "roll-back"),
        results.stream().map(each -> each.get("change").stringValue()).toList());
    assertEquals(List.of("none", "add-field"), with(results, "planDiffSeconds"));
    assertEquals(List.of("roll-back"), with(results, "rollbackSeconds"));
    assertEquals(List.of("roll-back"), with(results, "cpuSecondsPerMillion"));
  }

  @Test
  @Tag("thorough")
  void eachChangeKeepsTheState() throws IOException {
    List<JsonNode> results = changed();
    List<String> all =
        List.of(
            "none",
            "add-operator",
            "add-field",
            "rename-operator",
            "widen-field",
            "remove-operator",
            "rolling",
            "unmigrated",
            "migrate",
            "roll-back",
            "migrate-again",
            "migrate-one-way");
    assertEquals(all, results.stream().map(each -> each.get("change").stringValue()).toList());
    List<String> recorded = new ArrayList<>(all.subList(1, 7));
    recorded.add("migrate-again");
    assertEquals(recorded, with(results, "finalizeSeconds"));
    assertEquals(List.of("roll-back"), with(results, "rollbackSeconds"));
    assertEquals(all.subList(7, all.size()), with(results, "cpuSecondsPerMillion"));
  }

  @Test
  void containersRefuseRowsThatThereAreNot() {
    Command row = Command.run("bench", "containers", "--rows", "explode");
    assertEquals(2, row.status(), row::out);
    assertTrue(row.out().contains("kill, others, handover"), row::out);
  }

  /// Plays rows with little of everything, and returns what was measured, by what it is.
  private Map<String, JsonNode> containers(String rows) throws IOException {
    Path json = directory.resolve("containers.json");
    Path svg = directory.resolve("containers.svg");
    List<String> arguments = new ArrayList<>(List.of("bench", "containers", "--rows", rows));
    arguments.addAll(List.of("--quick", "--runs", "1", "--rate", "200", "--keys", "500"));
    arguments.addAll(List.of("--json", json.toString(), "--svg", svg.toString()));
    Command bench = Command.run(arguments.toArray(String[]::new));
    assertEquals(0, bench.status(), bench::out);
    assertTrue(Files.readString(svg).contains("<polyline"));
    Map<String, JsonNode> results = new LinkedHashMap<>();
    JsonMapper.shared()
        .readTree(Files.readString(json))
        .get("results")
        .valueStream()
        .forEach(each ->
            results.put(
                "%s, %s: %s"
                    .formatted(
                        each.get("row").stringValue(),
                        each.get("scene").stringValue(),
                        each.get("what").stringValue()),
                each));
    return results;
  }

  @Test
  void containersThatRollLoseNothing() throws IOException {
    Map<String, JsonNode> results = containers("rolling");
    JsonNode events = results.get("rolling, one host: events");
    assertTrue(events.get("most").doubleValue() > 200, "there was no load");
    JsonNode silent = results.get("rolling, one host: partition without rows");
    assertEquals(16, silent.get("samples").size());
    assertTrue(silent.get("most").doubleValue() > 0.01, "nothing was noticed of restarts");
    for (String what : List.of("lost", "doubled", "wrong", "wrong at the end")) {
      JsonNode result = results.get("rolling, one host: " + what);
      assertEquals(0, result.get("most").doubleValue(), what);
      assertTrue(result.get("reached").booleanValue(), what);
    }
  }

  @Test
  @Tag("thorough")
  void eachRowOfContainersIsMeasured() throws IOException {
    Map<String, JsonNode> results =
        containers("kill,others,handover,split,recovery,restarts,idle,scale");
    for (String what :
        List.of(
            "kill, local state: first row of a partition, from detection",
            "kill, follower: first row of a partition, from detection",
            "others, 3 containers and 1: join: partition of another",
            "handover, drained and undrained: pause of the task",
            "split, two tasks of two containers: pause of the new task's keys",
            "recovery, all: slowest by fastest",
            "restarts, a host each: tasks that are back, of all",
            "idle, 4 containers: requests to Kafka a second, each",
            "scale, 8: events a second")) {
      JsonNode result = results.get(what);
      assertTrue(result != null, "not measured: " + what + " of " + results.keySet());
      assertTrue(result.get("most").doubleValue() > 0, what);
    }
  }

  @Test
  void breakEvenRefusesEntriesTooSmallToCount() {
    Command bench = Command.run("bench", "break-even", "--entry-bytes", "10");
    assertEquals(2, bench.status(), bench::out);
    assertTrue(bench.out().contains("it needs at least 16"), bench::out);
  }

  @Test
  @Tag("thorough")
  void breakEvenCountsRightAndGivesFormulasAndResults() throws IOException {
    Path json = directory.resolve("break-even.json");
    Command bench =
        Command.run(
            "bench",
            "break-even",
            "--runs",
            "1",
            "--state",
            "1",
            "--entry-bytes",
            "100",
            "--rates",
            "1000,4000",
            "--seconds",
            "1",
            "--json",
            json.toString());
    assertEquals(0, bench.status(), bench::out);
    // 100 TB in entries of 10 bytes, every 20 minutes.
    assertTrue(bench.out().contains("8,333,333,333"), bench::out);
    assertTrue(Files.readString(json).contains("\"checkpointBytes\""));
  }

  @Test
  void aDirectoryThatIsNotEmptyIsLeftAlone() throws IOException {
    Path file = Files.createFile(directory.resolve("mine"));
    Command bench = Command.run("bench", "restore", "--directory", directory.toString());
    assertEquals(2, bench.status(), bench::out);
    assertTrue(bench.out().contains("is not empty"), bench::out);
    assertTrue(Files.exists(file));
  }
}
