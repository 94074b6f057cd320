package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  }

  @Test
  void changesKeepTheStateAndWriteNothing() throws IOException {
    Path json = directory.resolve("change.json");
    Path svg = directory.resolve("change.svg");
    Command bench =
        Command.run(
            "bench",
            "change",
            "--engines",
            "millrace",
            "--state",
            "1MB",
            "--rate",
            "200",
            "--seconds",
            "0",
            "--runs",
            "1",
            "--json",
            json.toString(),
            "--svg",
            svg.toString());
    assertEquals(0, bench.status(), bench::out);
    JsonNode results = JsonMapper.shared().readTree(Files.readString(json)).get("results");
    assertEquals(
        List.of(
            "none",
            "add-operator",
            "add-field",
            "rename-operator",
            "widen-field",
            "remove-operator",
            "rolling"),
        results.valueStream().map(each -> each.get("change").stringValue()).toList());
    for (JsonNode each : results) {
      assertEquals(0, each.get("wrongRows").intValue(), bench::out);
      assertTrue(each.get("comparingMs").get(0).doubleValue() > 0, "a start was not watched");
      assertTrue(each.get("changelogEntries").get(0).doubleValue() > 0, "nothing was read");
      assertEquals(0, each.get("changelogBytesBecauseOfIt").get(0).doubleValue(), bench::out);
    }
    assertTrue(Files.readString(svg).contains("<polyline"));
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
