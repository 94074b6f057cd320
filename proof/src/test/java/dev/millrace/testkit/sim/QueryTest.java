package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.query.CommittedStore;
import dev.millrace.spi.job.QueryException;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/// Questions to the tasks of a running job.
class QueryTest {
  private static final int SEEDS = 200;

  private static CommittedStore<String, Long> sums(Engine engine) {
    return engine.store("sums", Serdes.string(), Serdes.longs());
  }

  /// At some answer the process is killed, so nothing is committed any more: what was answered must
  /// stand in the log.
  @Test
  void anAnswerIsNeverWhatIsNotCommitted() {
    int answered = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      SumsRun job = SumsRun.prepared(seed, SimulationSettings.of("events"));
      Simulation simulation = job.simulation();
      Seed random = new Seed(seed).fork("questions");
      simulation.startAll();
      Engine engine = Objects.requireNonNull(simulation.engine(0));
      List<Long> answer = List.of();
      String key = "";
      for (int left = random.between(20, 60); left > 0 && !engine.finished(); left--) {
        key = "k" + random.below(12);
        CompletableFuture<List<Long>> asked = sums(engine).get(key);
        while (!asked.isDone()) {
          simulation.step();
        }
        answer = asked.join();
      }
      simulation.crash(0, false);
      simulation.log().advance(Duration.ofSeconds(60));
      List<Long> committed = job.sums().getOrDefault(key, List.of());
      assertTrue(
          committed.containsAll(answer), "seed " + seed + ": " + key + " " + answer + committed);
      answered += answer.size();
    }
    assertTrue(answered > SEEDS / 4, answered + " answers with a value");
  }

  @Test
  void afterTheLastCommitEveryKeyAnswersItsSum() {
    SumsRun job = SumsRun.prepared(3, SimulationSettings.of("events"));
    Simulation simulation = job.simulation();
    simulation.startAll();
    Engine engine = Objects.requireNonNull(simulation.engine(0));
    for (Map.Entry<String, List<Long>> expected : job.job().expectedSums().entrySet()) {
      List<Long> last = List.of();
      while (!last.equals(List.of(expected.getValue().getLast()))) {
        assertFalse(engine.finished(), () -> "Never came to the last sum of " + expected);
        CompletableFuture<List<Long>> answer = sums(engine).get(expected.getKey());
        while (!answer.isDone()) {
          simulation.step();
        }
        last = answer.isCompletedExceptionally() ? List.of() : answer.join();
      }
    }
  }

  @Test
  void whatCannotBeAskedIsRefusedWithTheReason() {
    SumsRun job = SumsRun.prepared(1, SimulationSettings.of("events").withShape(2, 1, false));
    job.simulation().startAll();
    Engine engine = Objects.requireNonNull(job.simulation().engine(0));
    refused("has no store 'sum'", () -> engine.store("sum", Serdes.string(), Serdes.longs()));
    refused("keys of store 'sums'", () -> engine.store("sums", Serdes.longs(), Serdes.longs()));
    refused("values of store", () -> engine.store("sums", Serdes.string(), Serdes.string()));
    refused("cannot be read in ranges", () -> sums(engine).range(0, null, null, 10).join());
    refused(
        "in another container",
        () -> {
          for (int i = 0; i < 100; i++) {
            assertFalse(sums(engine).get("k" + i).isDone());
          }
        });
  }

  @Test
  void aClosedWorkerRefuses() {
    SumsRun job = SumsRun.prepared(1, SimulationSettings.of("events"));
    job.simulation().startAll();
    Engine engine = Objects.requireNonNull(job.simulation().engine(0));
    CompletableFuture<List<Long>> waiting = sums(engine).get("k1");
    engine.abandon();
    CompletableFuture<List<Long>> later = sums(engine).get("k1");
    for (CompletableFuture<List<Long>> each : List.of(waiting, later)) {
      CompletionException refused = assertThrows(CompletionException.class, each::join);
      assertEquals(QueryException.class, refused.getCause().getClass());
    }
  }

  private static void refused(String reason, Runnable asking) {
    QueryException refused = assertThrows(QueryException.class, asking::run);
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
  }
}
