package dev.millrace.internal.beam.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.metrics.MetricsEnvironment;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Counts of many bundles, of which some come from other threads, against plain sums.
class StepMetricsTest {
  private static final String STEP = "step";

  /// So many that several share a place in what finds them by their identity.
  private static final int NAMES = 200;

  private final Map<String, Long> sums = new TreeMap<>();
  private final Map<String, LongSummaryStatistics> spreads = new TreeMap<>();
  private final RunMetrics run = new RunMetrics();
  private final StepMetrics metrics = run.of(STEP);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatIsCountedIsThere(long seed) throws Exception {
    Random random = new Random(seed);
    List<Counter> counters = new ArrayList<>();
    List<Distribution> distributions = new ArrayList<>();
    for (int i = 0; i < NAMES; i++) {
      counters.add(Metrics.counter("n", "counter" + i));
      distributions.add(Metrics.distribution("n", "distribution" + i));
    }
    Map<String, Long> committed = Map.of();
    for (int bundle = 0; bundle < 100; bundle++) {
      try (Closeable _ = metrics.counting()) {
        for (int i = random.nextInt(200); i > 0; i--) {
          int number = random.nextInt(NAMES);
          long value = random.nextInt(2_000) - 1_000L;
          Runnable count =
              () -> {
                count(counters.get(number), value);
                distributions.get(number).update(value);
              };
          if (random.nextInt(10) == 0) {
            byAnotherThread(count);
          } else {
            count.run();
          }
          sums.merge("counter" + number, value, Long::sum);
          spreads
              .computeIfAbsent("distribution" + number, _ -> new LongSummaryStatistics())
              .accept(value);
        }
      }
      if (random.nextInt(10) == 0) {
        metrics.beforeCommit();
        metrics.afterCommit();
        committed = Map.copyOf(sums);
      }
      check(committed);
    }
  }

  @Test
  void threadsThatCountBesideEachOtherLoseNothing() throws Exception {
    Counter counter = Metrics.counter("n", "counter");
    int times = 3_000_000;
    Runnable counting =
        () -> {
          for (int i = 0; i < times; i++) {
            counter.inc();
          }
        };
    try (Closeable _ = metrics.counting()) {
      List<Thread> others = List.of(another(counting), another(counting));
      counting.run();
      for (Thread each : others) {
        each.join();
      }
    }
    sums.put("counter", 3L * times);
    check(Map.of());
  }

  private static void count(Counter counter, long value) {
    if (value == 1) {
      counter.inc();
    } else if (value == -1) {
      counter.dec();
    } else if (value % 2 == 0) {
      counter.inc(value);
    } else {
      counter.dec(-value);
    }
  }

  /// Counts as a DoFn does that hands work to threads of its own.
  private static void byAnotherThread(Runnable count) throws InterruptedException {
    another(count).join();
  }

  private static Thread another(Runnable count) {
    MetricsContainer container = Objects.requireNonNull(MetricsEnvironment.getCurrentContainer());
    Thread thread =
        new Thread(() -> {
          MetricsEnvironment.setCurrentContainer(container);
          count.run();
        });
    thread.start();
    return thread;
  }

  private void check(Map<String, Long> committed) {
    Map<String, Long> attempted = new TreeMap<>();
    Map<String, Long> kept = new TreeMap<>();
    var results = run.results().queryMetrics(MetricsFilter.builder().addStep(STEP).build());
    for (MetricResult<Long> each : results.getCounters()) {
      attempted.put(each.getName().getName(), each.getAttempted());
      if (each.hasCommitted()) {
        kept.put(each.getName().getName(), each.getCommitted());
      }
    }
    assertEquals(sums, attempted);
    kept.values().removeIf(value -> value == 0);
    Map<String, Long> notZero = new TreeMap<>(committed);
    notZero.values().removeIf(value -> value == 0);
    assertEquals(notZero, kept);
    Map<String, DistributionResult> spread = new TreeMap<>();
    for (MetricResult<DistributionResult> each : results.getDistributions()) {
      spread.put(each.getName().getName(), each.getAttempted());
    }
    Map<String, DistributionResult> expected = new TreeMap<>();
    spreads.forEach((name, of) ->
        expected.put(
            name, DistributionResult.create(of.getSum(), of.getCount(), of.getMin(), of.getMax())));
    assertEquals(expected, spread);
  }
}
