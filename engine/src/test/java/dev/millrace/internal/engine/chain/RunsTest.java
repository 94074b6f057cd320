package dev.millrace.internal.engine.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.chain.DrawnPipeline.Arrival;
import dev.millrace.internal.engine.chain.DrawnPipeline.Visit;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.spi.RecordBatch;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Filters, maps and peeks that became one loop, beside plain calls of the same functions.
@Timeout(120)
class RunsTest {
  private static final int SEEDS = 150;
  private static final int RECORDS = 150;

  private static RecordBatch records() {
    return Running.batch(
        LongStream.range(0, RECORDS).map(i -> DrawnPipeline.value((int) i)).toArray());
  }

  private static List<Arrival> sorted(List<Arrival> arrivals) {
    return arrivals.stream()
        .sorted(Comparator.comparing(Arrival::sink).thenComparingLong(Arrival::value))
        .toList();
  }

  @Test
  void whatComesOutAndWhatEachOperatorSeesIsAsByPlainCalls() {
    int arrived = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      DrawnPipeline pipeline = new DrawnPipeline(seed);
      Running running = new Running(pipeline);
      List<Visit> visits = new ArrayList<>();
      List<Arrival> expected = pipeline.evaluate(RECORDS, visits);
      RecordBatch records = records();
      int cut = (int) (seed % RECORDS);
      running.chain.process(records, 0, cut, false);
      running.chain.process(records, cut, RECORDS, false);
      assertEquals(sorted(expected), sorted(running.take()), "seed " + seed);
      for (DrawnPipeline.Operator each : visits.stream().map(Visit::operator).distinct().toList()) {
        if (!each.name.startsWith("out") && !each.name.startsWith("merge")) {
          assertEquals(
              visits.stream()
                  .filter(visit -> visit.operator() == each)
                  .map(visit -> String.valueOf(visit.value()))
                  .sorted()
                  .toList(),
              each.seen.stream().map(String::valueOf).sorted().toList(),
              "seed " + seed + ", " + each.name);
        }
      }
      arrived += expected.size();
    }
    assertTrue(arrived > SEEDS, "too little arrived: " + arrived);
  }

  @Test
  void aFailureNamesTheOperatorAndTheRecord() {
    int failed = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      DrawnPipeline pipeline = new DrawnPipeline(seed);
      Running running = new Running(pipeline);
      List<Visit> visits = new ArrayList<>();
      pipeline.evaluate(RECORDS, visits);
      List<Visit> possible =
          visits.stream()
              .filter(visit -> visit.value() != null)
              .filter(visit -> visit.operator().name.matches("(filter|map|peek|flatmap).*"))
              .toList();
      if (possible.isEmpty()) {
        continue;
      }
      Visit chosen = possible.get(new Random(seed).nextInt(possible.size()));
      chosen.operator().failsOn = chosen.value();
      RecordBatch records = records();
      IllegalStateException thrown =
          assertThrows(
              IllegalStateException.class,
              () -> running.chain.process(records, 0, RECORDS, false),
              "seed " + seed);
      assertEquals("planted", thrown.getMessage());
      assertEquals(chosen.operator().name, running.chain.failure().operator(), "seed " + seed);
      assertEquals(chosen.record(), running.chain.failure().record(), "seed " + seed);
      failed++;
    }
    assertTrue(failed > SEEDS / 2, "too few failed: " + failed);
  }

  private static StreamApplication application(Consumer<KeyedStream<Bytes, Long>> describe) {
    return new StreamApplication() {
      @Override
      public String name() {
        return "app";
      }

      @Override
      public void describe(Topology topology) {
        describe.accept(
            topology.from(Kafka.source(DrawnPipeline.IN).key(Serdes.view()).value(Serdes.longs())));
      }
    };
  }

  private static StreamApplication filters(int count, Predicate<Long> condition) {
    return application(stream -> {
      KeyedStream<Bytes, Long> filtered = stream;
      for (int i = 0; i < count; i++) {
        filtered = filtered.filter(condition);
      }
      filtered.to(Kafka.sink("out0").value(Serdes.longs()));
    });
  }

  @Test
  void aValueThatCannotBeReadIsNamed() {
    for (UnaryOperator<KeyedStream<Bytes, Long>> first :
        List.<UnaryOperator<KeyedStream<Bytes, Long>>>of(
            stream -> stream.filter(value -> true),
            stream -> stream.mapValues(value -> value).as(Serdes.longs()),
            stream -> stream.peek(value -> {}))) {
      Running running =
          new Running(
              application(
                  stream -> first.apply(stream).to(Kafka.sink("out0").value(Serdes.longs()))));
      RecordBatch batch = Running.batch(0, 1_000);
      batch.append(2, Running.TIME);
      batch.value(new byte[3], 0, 3);
      assertThrows(SerdeException.class, () -> running.chain.process(batch, 0, 3, false));
      assertEquals(2, running.chain.failure().record());
      assertTrue(running.chain.failure().operator().matches("(filter|map|peek) 1"));
    }
  }

  @Test
  void aDeletionIsSaidToBeOne() {
    Running running = new Running(filters(1, value -> true));
    RecordBatch batch = Running.batch(0);
    batch.append(1, Running.TIME); // without a value
    batch.append(2, Running.TIME);
    batch.value(new byte[8], 0, 8);
    assertEquals(
        "The record has no value: it deletes its key. topology.from(...) reads such records only"
            + " with withDeletions(); topology.table(...) reads topics that delete keys.",
        assertThrows(SerdeException.class, () -> running.chain.process(batch, 0, 3, false))
            .getMessage());
    assertEquals(1, running.chain.failure().record());
  }

  @Test
  void aNewKeyIsNoKeyUntilThereIsOne() {
    Running running =
        new Running(
            application(stream ->
                stream
                    .filter(value -> true)
                    .map(value -> value)
                    .as(Serdes.longs())
                    .filter(value -> true)
                    .to(Kafka.sink("out0").value(Serdes.longs()))));
    running.chain.process(Running.batch(0, 1_001), 0, 2, false);
    assertEquals(
        List.of(new Arrival("out0", false, 0), new Arrival("out0", false, 1_001)), running.take());
  }

  @Test
  void aLongSeriesIsSeveralRuns() {
    Running running = new Running(filters(2 * Run.MOST + 1, value -> value != 1_000));
    Plan.Stage stage = running.chains.plan().stages().getFirst();
    List<Run> runs = Run.of(stage.nodes(), Map.of());
    assertEquals(
        List.of(Run.MOST, Run.MOST, 1), runs.stream().map(run -> run.nodes().size()).toList());
    running.chain.process(Running.batch(0, 1_000, 2_000), 0, 3, false);
    assertEquals(
        List.of(new Arrival("out0", true, 0), new Arrival("out0", true, 2_000)), running.take());
  }

  @Test
  void aRunEndsWhereItsRowsGoToTwo() {
    Plan plan =
        Planner.plan(
            "app",
            TopologyGraph.of(
                application(stream -> {
                  KeyedStream<Bytes, Long> both = stream.filter(value -> true).peek(value -> {});
                  both.filter(value -> true).to(Kafka.sink("out0").value(Serdes.longs()));
                  both.filter(value -> true).to(Kafka.sink("out1").value(Serdes.longs()));
                })),
            Map.of(DrawnPipeline.IN, 1));
    assertEquals(
        List.of(List.of(1, 2), List.of(3), List.of(5)),
        Run.of(plan.stages().getFirst().nodes(), Map.of()).stream()
            .map(run -> run.nodes().stream().map(Node::id).toList())
            .toList());
  }

  @Test
  void theCodeIsMadeOnceForAllTasksOfAPlan() {
    Running running = new Running(filters(3, value -> true));
    Run run = Run.of(running.chains.plan().stages().getFirst().nodes(), Map.of()).getFirst();
    assertSame(running.chains.loop(run), running.chains.loop(run));
    Chains others =
        new Chains(
            running.chains.plan(), Running::sink, (_, topic) -> Running.sink(topic), Running.CLOCK);
    assertNotSame(running.chains.loop(run), others.loop(run));
  }

  /// @return a function that a run has called
  private static WeakReference<Predicate<Long>> runOnce(long least) {
    Predicate<Long> condition = value -> value > least;
    Running running = new Running(filters(3, condition));
    running.chain.process(Running.batch(0, 1_000), 0, 2, false);
    assertEquals(List.of(new Arrival("out0", true, 1_000)), running.take());
    return new WeakReference<>(condition);
  }

  @Test
  void theCodeAndTheFunctionsAreGoneWithThePlan() throws InterruptedException {
    WeakReference<Predicate<Long>> condition = runOnce(500);
    for (int i = 0; i < 100 && condition.get() != null; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertNull(condition.get());
  }
}
