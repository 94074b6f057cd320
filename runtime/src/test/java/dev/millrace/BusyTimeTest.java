package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.MetricFamily.Point;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether a running job tells which of its functions is slow.
class BusyTimeTest {
  private static final int RECORDS = 600;
  private static final long SLOW_NANOS = 5_000_000;
  private static final long LESS_SLOW_NANOS = 2_000_000;

  @TempDir Path directory;

  /// Four functions in one run, of which the second sleeps and the third computes.
  ///
  /// @param slow the time that the second took together, by the clock
  /// @param lessSlow the same of the third
  private record Slow(String name, AtomicLong slow, AtomicLong lessSlow)
      implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").partitions(2).value(Serdes.string()).startAtEarliest())
          .filter(value -> number(value) % 4 != 0)
          .map(this::sleep)
          .as(Serdes.string())
          .filter(this::compute)
          .map(value -> value + "!")
          .as(Serdes.string())
          .to(Kafka.sink(name + "-out").partitions(1).value(Serdes.string()));
    }

    private static int number(String value) {
      return Integer.parseInt(value);
    }

    private String sleep(String value) {
      long begun = System.nanoTime();
      while (System.nanoTime() - begun < SLOW_NANOS) {
        LockSupport.parkNanos(SLOW_NANOS - (System.nanoTime() - begun));
      }
      slow.addAndGet(System.nanoTime() - begun);
      return value;
    }

    private boolean compute(String value) {
      long begun = System.nanoTime();
      long end = begun + LESS_SLOW_NANOS;
      while (System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
      lessSlow.addAndGet(System.nanoTime() - begun);
      return number(value) % 3 != 0;
    }
  }

  /// The values of a metric by a label.
  private static Map<String, Double> values(
      Job job, String metric, String label, Predicate<Point> of) {
    Map<String, Double> values = new TreeMap<>();
    job.metrics().families().stream()
        .filter(family -> family.name().equals("millrace_" + metric))
        .flatMap(family -> family.points().stream())
        .filter(of)
        .forEach(point -> values.merge(point.labels().get(label), point.value(), Double::sum));
    return values;
  }

  private static Map<String, Double> ofOperators(Job job, String metric) {
    return values(job, metric, "operator", _ -> true);
  }

  private static double sum(Map<String, Double> values) {
    return values.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  @Test
  void theSlowFunctionIsToldByItsTimeAndAllTimesAddUp() throws InterruptedException {
    Slow application = new Slow(uniqueName("slow"), new AtomicLong(), new AtomicLong());
    String[] values =
        IntStream.range(0, RECORDS).mapToObj(Integer::toString).toArray(String[]::new);
    SharedTopics.create(application.name() + "-in", 2);
    SharedTopics.write(application.name() + "-in", values);
    long first = IntStream.range(0, RECORDS).filter(each -> each % 4 != 0).count();
    long left = IntStream.range(0, RECORDS).filter(each -> each % 4 != 0 && each % 3 != 0).count();

    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withState(StateConfig.in(directory).withFlushInterval(Duration.ofMillis(100)));
    try (Job job = Millrace.start(application, config)) {
      LaunchTest.await(job, JobState.RUNNING);
      Map<String, Double> before = values(job, "worker_seconds_total", "worker", _ -> true);
      long begun = System.nanoTime();
      SharedTopics.read(application.name() + "-out", (int) left);
      Map<String, Double> after = values(job, "worker_seconds_total", "worker", _ -> true);
      double elapsed = (System.nanoTime() - begun) / 1e9;
      assertTrue(elapsed > 1, "It took " + elapsed);
      after.forEach((worker, seconds) ->
          assertEquals(
              elapsed, seconds - before.get(worker), 0.1 + elapsed / 20, "worker " + worker));

      assertEquals(
          0,
          values(job, "unconfirmed_commits_total", "group", _ -> true).values().stream()
              .mapToDouble(each -> each)
              .sum());
      String source = "source '" + application.name() + "-in'";
      String sink = "sink '" + application.name() + "-out'";
      assertEquals(
          Map.of(
              source,
              (double) RECORDS,
              "filter 1",
              (double) RECORDS,
              "map 2",
              (double) first,
              "filter 3",
              (double) first,
              "map 4",
              (double) left,
              sink,
              (double) left),
          ofOperators(job, "operator_rows_in_total"));
      assertEquals(
          Map.of(
              source,
              (double) RECORDS,
              "filter 1",
              (double) first,
              "map 2",
              (double) first,
              "filter 3",
              (double) left,
              "map 4",
              (double) left,
              sink,
              (double) left),
          ofOperators(job, "operator_rows_out_total"));

      Map<String, Double> busy = ofOperators(job, "operator_busy_seconds_total");
      double slow = application.slow().get() / 1e9;
      double lessSlow = application.lessSlow().get() / 1e9;
      assertEquals(slow, busy.get("map 2"), 0.15 * slow, busy + ", by the clock " + slow);
      assertEquals(lessSlow, busy.get("filter 3"), 0.3 * lessSlow, busy + ", " + lessSlow);
      double rest = sum(busy) - busy.get("map 2") - busy.get("filter 3");
      assertTrue(rest < 0.1 * slow, busy.toString());
      Map<String, Double> functions =
          values(
              job,
              "operator_busy_seconds_total",
              "function",
              point -> point.labels().containsKey("function"));
      assertTrue(functions.containsKey("Slow::sleep"), functions.toString());

      assertIdle(job);
      assertEquals(
          values(job, "worker_seconds_total", "activity", _ -> true).get("operators"),
          sum(ofOperators(job, "operator_busy_seconds_total")),
          1e-3);
    }
  }

  private static void assertIdle(Job job) throws InterruptedException {
    Map<String, Double> before = values(job, "worker_seconds_total", "activity", _ -> true);
    Thread.sleep(1_000);
    Map<String, Double> after = values(job, "worker_seconds_total", "activity", _ -> true);
    double idle = after.get("wait-input") - before.get("wait-input");
    assertTrue(
        idle > 0.8 * (sum(after) - sum(before)), () -> "Idle from " + before + " to " + after);
  }
}
