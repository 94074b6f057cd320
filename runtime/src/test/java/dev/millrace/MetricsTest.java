package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.config.HttpConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The metrics of a running job, by every way to read them.
class MetricsTest {
  @TempDir Path directory;

  private final HttpClient client = HttpClient.newHttpClient();

  private HttpResponse<String> get(int port, String path, String method)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aRunningJobIsMeasuredAndReadByHttpAndJmx()
      throws IOException, InterruptedException, JMException {
    Numbers application = Numbers.unbounded(uniqueName("metrics"));
    SharedTopics.create(application.in(), 1);
    SharedTopics.write(application.in(), "1", "2", "3");
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(50)))
            .withState(StateConfig.in(directory).withFlushInterval(Duration.ofMillis(100)))
            .withHttp(HttpConfig.on(0));
    try (Job job = Millrace.start(application, config)) {
      LaunchTest.await(job, JobState.RUNNING);
      int port = job.metrics().httpPort();
      SharedTopics.read(application.out(), 3);
      SharedTopics.write(application.in(), "4");
      SharedTopics.read(application.out(), 4);
      String labels =
          "application=\"" + application.name() + "\",container=\"" + container(application) + "\"";
      String first = labels + ",task=\"0-0\",stage=\"0\",partition=\"0\"";
      String text = await(port, "millrace_lag_records{" + first + "} 0");
      assertValue(text, "millrace_records_total{" + first + "}", 4, 4);
      assertValue(text, "millrace_late_records_total{" + first + "}", 0, 0);
      assertValue(text, "millrace_dead_letters_total{" + first + "}", 0, 0);
      assertValue(text, "millrace_restore_remaining_records{" + first + "}", 0, 0);
      String second = labels + ",task=\"1-0\",stage=\"1\",partition=\"0\"";
      assertValue(text, "millrace_store_bytes{" + second + ",store=\"sums\"}", 0, 1_000);
      assertValue(text, "millrace_watermark_delay_seconds{" + first + "}", 0, 60);
      assertValue(text, "millrace_commits_total{" + labels + ",group=\"0\"}", 1, 1_000);
      assertValue(text, "millrace_commit_seconds_total{" + labels + ",group=\"0\"}", 0.0001, 60);
      assertValue(text, "millrace_input_to_commit_p50_seconds{" + labels + "}", 0, 60);
      assertValue(text, "millrace_input_to_commit_p99_seconds{" + labels + "}", 0.001, 60);
      assertValue(text, "millrace_records_per_second{" + labels + "}", 0, 1_000);
      assertValue(text, "millrace_state_disk_bytes{" + labels + "}", 1, 1e9);
      assertValue(text, "millrace_job_state{" + labels + ",state=\"RUNNING\"}", 1, 1);
      for (String share :
          List.of(
              "objects",
              "live",
              "committing",
              "committed",
              "fetched",
              "outbox",
              "blocks",
              "network")) {
        String of = "{" + labels + ",share=\"" + share + "\"}";
        assertValue(text, "millrace_memory_bytes" + of, 0, 1e9);
        assertValue(text, "millrace_memory_share_bytes" + of, 1, 1e10);
      }
      assertValue(text, "millrace_memory_bytes{" + labels + ",share=\"objects\"}", 50, 10_000);
      assertValue(text, "millrace_memory_budget_bytes{" + labels + "}", 1e7, 1e10);
      assertValue(text, "millrace_memory_resident_bytes{" + labels + "}", 5e7, 1e10);
      assertValue(text, "millrace_memory_flushes_total{" + labels + "}", 0, 0);
      assertValue(text, "millrace_fetch_pauses_total{" + labels + "}", 0, 0);
      assertWellFormed(text);

      for (String path : List.of("/live", "/ready")) {
        assertEquals(200, get(port, path, "GET").statusCode());
      }
      assertEquals(404, get(port, "/metricsx", "GET").statusCode());
      assertEquals(404, get(port, "/", "GET").statusCode());
      assertEquals(405, get(port, "/metrics", "POST").statusCode());
      assertBeans(application);
      assertTrue(job.metrics().inputToCommit(0.5).isPresent());
    }
    assertTrue(beans(application).isEmpty());
  }

  private String await(int port, String line) throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (true) {
      HttpResponse<String> answer = get(port, "/metrics", "GET");
      assertEquals(200, answer.statusCode());
      if (answer.body().contains(line + "\n")) {
        assertEquals(
            "text/plain; version=0.0.4; charset=utf-8",
            answer.headers().firstValue("Content-Type").orElseThrow());
        return answer.body();
      }
      assertTrue(System.nanoTime() < end, () -> "No '" + line + "' in " + answer.body());
      Thread.sleep(50);
    }
  }

  private static void assertValue(String text, String metric, double least, double most) {
    String line =
        text.lines()
            .filter(each -> each.startsWith(metric + " "))
            .findFirst()
            .orElseThrow(() -> new AssertionError("No " + metric + " in " + text));
    double value = Double.parseDouble(line.substring(metric.length() + 1));
    assertTrue(value >= least && value <= most, line);
  }

  /// Each line is a comment or a sample, as the format wants it.
  private static void assertWellFormed(String text) {
    Pattern line =
        Pattern.compile(
            "# HELP [a-z0-9_]+ .+|# TYPE [a-z0-9_]+ (counter|gauge)"
                + "|[a-z0-9_]+\\{([a-z]+=\"[^\"]*\",?)*} [-0-9.E]+");
    text.lines().forEach(each -> assertTrue(line.matcher(each).matches(), each));
  }

  private static Map<String, ObjectName> beans(Numbers application) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    Map<String, ObjectName> found = new TreeMap<>();
    server
        .queryNames(new ObjectName("dev.millrace:application=" + application.name() + ",*"), null)
        .forEach(name -> found.put(name.getKeyProperty("type"), name));
    return found;
  }

  /// Returns the name of the only process that uses the state directory.
  private String container(Numbers application) throws IOException {
    String id = Files.readString(directory.resolve(application.name()).resolve("home.id"));
    return id.replace("-", "").substring(0, 12) + "-0";
  }

  private void assertBeans(Numbers application) throws IOException, JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    Map<String, ObjectName> beans = beans(application);
    assertEquals("[Group, Job, Memory, Operator, Task, Worker]", beans.keySet().toString());
    ObjectName task =
        new ObjectName(
            "dev.millrace:application=%s,container=%s,type=Task,task=0-0"
                .formatted(application.name(), container(application)));
    assertEquals(4.0, server.getAttribute(task, "millrace_records_total"));
    ObjectName source =
        new ObjectName(
            "dev.millrace:application=%s,container=%s,type=Operator,stage=0,operator=%s"
                .formatted(
                    application.name(),
                    container(application),
                    ObjectName.quote("source '" + application.in() + "'")));
    assertEquals(4.0, server.getAttribute(source, "millrace_operator_rows_in_total"));
    assertTrue((double) server.getAttribute(beans.get("Group"), "millrace_commits_total") >= 1);
    double p99 =
        (double) server.getAttribute(beans.get("Job"), "millrace_input_to_commit_p99_seconds");
    assertTrue(p99 > 0 && p99 < 60, "p99 " + p99);
    List<String> attributes =
        Arrays.stream(server.getMBeanInfo(task).getAttributes())
            .map(MBeanAttributeInfo::getName)
            .toList();
    assertTrue(attributes.contains("millrace_records_total"), attributes.toString());
    for (String attribute : attributes) {
      assertNotNull(server.getAttribute(task, attribute), attribute);
    }
  }

  @Test
  void aTakenPortStopsTheStartWithAWayOut() throws IOException, InterruptedException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Job job =
            Millrace.start(
                Numbers.unbounded(uniqueName("taken")),
                JobConfig.of(bootstrapServers()).withHttp(HttpConfig.on(taken.getLocalPort())))) {
      assertTrue(job.await(Duration.ofSeconds(20)));
      assertEquals(ExitCode.USAGE, job.failure().exitCode());
      assertTrue(job.failure().message().contains("in use"), job.failure().message());
    }
  }
}
