package dev.millrace.benchmarks.nexmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.benchmarks.nexmark.NexmarkRow.Run;
import dev.millrace.benchmarks.nexmark.NexmarkSetup.From;
import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.benchmarks.report.Figure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NexmarkReportTest {
  private static final NexmarkSetup SETUP =
      new NexmarkSetup(
          List.of("q0", "q5", "q6"),
          List.of(NexmarkEngine.MILLRACE, NexmarkEngine.FLINK),
          From.GENERATOR,
          Settings.of(1, 100),
          40,
          10,
          3,
          512,
          64 << 20,
          Path.of("home"));

  private static NexmarkRow row(NexmarkEngine engine, String query, double cpu, double... rates) {
    List<Run> runs = new ArrayList<>();
    for (double rate : rates) {
      runs.add(new Run(rate, cpu, 3 << 20, 7, engine.id() + " 1", "its settings"));
    }
    return NexmarkRow.of(engine, query, runs);
  }

  private static final List<NexmarkRow> ROWS =
      List.of(
          row(NexmarkEngine.MILLRACE, "q0", 1, 900, 1_000, 5_000),
          row(NexmarkEngine.FLINK, "q0", 4, 500, 200, 100),
          row(NexmarkEngine.MILLRACE, "q5", 1, 600),
          row(NexmarkEngine.FLINK, "q5", 3, 200),
          row(NexmarkEngine.MILLRACE, "q6", 2, 50),
          NexmarkRow.cannot(NexmarkEngine.FLINK, "q6", "not in SQL"));

  private static final Figure FIGURE = NexmarkReport.figure(SETUP, ROWS);

  @Test
  void mediansAreComparedQueryByQuery() {
    assertEquals(
        List.of("q0", "millrace", 1_000L, "1.00", 3L, 7L, "5.00", "4.00"), FIGURE.rows().get(0));
    assertEquals(List.of("q0", "flink", 200L, "4.00", 3L, 7L, "", ""), FIGURE.rows().get(1));
    assertEquals("3.00", FIGURE.rows().get(2).get(6));
    assertEquals("", FIGURE.rows().get(4).get(6), "nothing to compare with");
    assertEquals(List.of("q6", "flink", "not in SQL", "", "", "", "", ""), FIGURE.rows().get(5));
  }

  @Test
  void theMedianOfAllQueriesIsAFact() {
    assertEquals("4.00", FIGURE.facts().get("median of times the rate of Flink"));
    assertEquals("flink 1", FIGURE.facts().get("version of flink"));
  }

  @Test
  void programsGetEachRunAndTheReasonOfWhatIsMissing() {
    assertEquals(List.of(900.0, 1_000.0, 5_000.0), FIGURE.results().get(0).get("rates"));
    assertEquals(5.0, FIGURE.results().get(0).get("timesTheRateOfFlink"));
    assertEquals("generator", FIGURE.results().get(0).get("source"));
    assertEquals(100L, FIGURE.results().get(0).get("events"));
    assertEquals(40L, FIGURE.results().get(2).get("events"), "q5 keeps bids");
    assertNull(FIGURE.results().get(5).get("rate"));
    assertEquals("not in SQL", FIGURE.results().get(5).get("why"));
    assertEquals(false, FIGURE.results().get(5).get("failed"));
  }

  @Test
  void onlyFlinkLeavesOutWhatItsSqlCannotSay() {
    assertEquals(false, NexmarkEngine.FLINK.cannot("q6").isEmpty());
    assertEquals(true, NexmarkEngine.FLINK.cannot("q7").isEmpty());
    assertEquals(true, NexmarkEngine.MILLRACE.cannot("q6").isEmpty());
  }
}
