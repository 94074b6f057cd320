package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What calls of a running job count.
class CallMetricsTest {
  private static final Map<String, String> LABELS =
      Map.of("task", "0-0", "stage", "0", "partition", "0", "operator", "lookup");

  @TempDir Path directory;

  private record Asking(String name, Call<String, String> call) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").partitions(1).value(Serdes.string()).startAtEarliest())
          .call("lookup", call)
          .as(Serdes.string())
          .to(Kafka.sink(name + "-out").partitions(1).value(Serdes.string()));
    }
  }

  private static double value(Job job, String metric) {
    return job.metrics().families().stream()
        .filter(family -> family.name().equals(metric))
        .flatMap(family -> family.points().stream())
        .filter(point -> point.labels().equals(LABELS))
        .mapToDouble(MetricFamily.Point::value)
        .findFirst()
        .orElse(-1);
  }

  private static void await(Job job, String metric, double wanted) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (value(job, metric) != wanted) {
      assertTrue(System.nanoTime() < end, () -> metric + ": " + value(job, metric));
      Thread.sleep(5);
    }
  }

  @Test
  void whatWaitsIsUnderWayFailsAndIsRepeatedIsCounted() throws InterruptedException, JMException {
    CountDownLatch open = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger failuresLeft = new AtomicInteger(2);
    Call<String, String> call =
        Call.<String, String>blocking(
                question -> {
                  runs.incrementAndGet();
                  open.await();
                  if (question.equals("bad") && failuresLeft.getAndDecrement() > 0) {
                    throw new IllegalStateException("closed today");
                  }
                  return question + "!";
                })
            .inFlight(2)
            .cache(100, Duration.ofHours(1))
            .retries(3, Duration.ofMillis(1))
            .breaker(2, Duration.ofMillis(500));
    Asking application = new Asking(uniqueName("asking"), call);
    String in = application.name() + "-in";
    String out = application.name() + "-out";
    SharedTopics.create(in, 1);
    SharedTopics.write(in, "a", "a", "b", "c");
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(50)))
            .withState(StateConfig.in(directory).withFlushInterval(Duration.ofMillis(100)));
    try (Job job = Millrace.start(application, config)) {
      await(job, "millrace_calls_under_way", 2);
      await(job, "millrace_call_waiting_records", 4);
      assertEquals(2, value(job, "millrace_calls_total"));
      assertEquals(1, value(job, "millrace_cached_calls_total"));
      assertEquals(0, value(job, "millrace_call_seconds_total"));
      assertEquals(-1, value(job, "millrace_call_p50_seconds"));

      open.countDown();
      assertEquals(List.of("a!", "a!", "b!", "c!"), read(out, 4));
      await(job, "millrace_call_waiting_records", 0);
      assertEquals(0, value(job, "millrace_calls_under_way"));
      assertEquals(3, value(job, "millrace_calls_total"));
      assertEquals(0, value(job, "millrace_failed_calls_total"));
      assertEquals(0, value(job, "millrace_calls_paused"));

      SharedTopics.write(in, "a", "bad");
      await(job, "millrace_failed_calls_total", 2);
      assertEquals(1, value(job, "millrace_calls_paused"));
      assertEquals(List.of("a!", "a!", "b!", "c!", "a!", "bad!"), read(out, 6));
      await(job, "millrace_calls_paused", 0);
      assertEquals(2, value(job, "millrace_repeated_calls_total"));
      assertEquals(6, runs.get());
      assertEquals(6, value(job, "millrace_calls_total"));
      assertEquals(2, value(job, "millrace_failed_calls_total"));
      assertEquals(2, value(job, "millrace_cached_calls_total"));
      assertEquals(1, value(job, "millrace_call_breaks_total"));
      double seconds = value(job, "millrace_call_seconds_total");
      double half = value(job, "millrace_call_p50_seconds");
      double most = value(job, "millrace_call_p99_seconds");
      assertTrue(seconds > 0 && seconds < 60, () -> seconds + " s");
      assertTrue(half > 0 && half <= most && most <= seconds * 9 / 8, () -> half + " " + most);
      assertBeans(job, application.name() + "-again");
    }
  }

  private static List<String> read(String topic, int count) {
    return SharedTopics.read(topic, count).stream().map(ConsumerRecord::value).toList();
  }

  private static void assertBeans(Job job, String name) throws JMException {
    try (JobBeans beans = new JobBeans(job.metrics(), name, "here-0")) {
      beans.register();
      beans.register();
      String prefix = "dev.millrace:application=" + name + ",container=here-0,type=";
      ObjectName operator = new ObjectName(prefix + "Operator,task=0-0,operator=lookup");
      ObjectName task = new ObjectName(prefix + "Task,task=0-0");
      var server = ManagementFactory.getPlatformMBeanServer();
      assertEquals(6.0, server.getAttribute(operator, "millrace_calls_total"));
      assertEquals(6.0, server.getAttribute(task, "millrace_records_total"));
    }
  }
}
