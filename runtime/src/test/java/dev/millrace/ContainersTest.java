package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.config.HttpConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the containers of an application know of one another.
class ContainersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  private final HttpClient client = HttpClient.newHttpClient();

  private JobConfig config(String state, PlacementConfig placement) {
    return JobConfig.of(bootstrapServers())
        .withState(StateConfig.in(directory.resolve(state)))
        .withHttp(HttpConfig.on(0))
        .withPlacement(placement);
  }

  private static PlacementConfig place(int container, int containers) {
    return PlacementConfig.of(container, containers, 1);
  }

  private Job start(Numbers application, int container, int containers) {
    String state = "state-" + container + "-of-" + containers;
    return Millrace.start(application, config(state, place(container, containers)));
  }

  private static JobFailure failureOf(Job job) throws InterruptedException {
    assertTrue(job.await(PATIENCE), () -> "It is " + job.state());
    JobFailure failure = job.failure();
    assertNotNull(failure);
    return failure;
  }

  private static void assertSays(JobFailure failure, String... parts) {
    for (String part : parts) {
      assertTrue(
          failure.message().contains(part), () -> "No '" + part + "' in " + failure.message());
    }
    assertFalse(failure.message().contains("\n"), failure.message());
  }

  private static void assertUndisturbed(Job job) {
    assertEquals(JobState.RUNNING, job.state(), () -> String.valueOf(job.failure()));
    assertEquals(
        0, job.metrics().groups().stream().mapToLong(each -> each.unconfirmedCommits()).sum());
  }

  private static List<String> sums(Numbers application, int count) {
    return SharedTopics.read(application.out(), count).stream().map(each -> each.value()).toList();
  }

  @Test
  void aProcessWithAnotherNumberOfContainersIsRefusedAndDisturbsNobody()
      throws InterruptedException {
    Numbers application = new Numbers(uniqueName("third"), false, 3, true);
    SharedTopics.create(application.in(), 3);
    try (Job first = start(application, 0, 2);
        Job second = start(application, 1, 2)) {
      LaunchTest.await(first, JobState.RUNNING);
      LaunchTest.await(second, JobState.RUNNING);
      SharedTopics.write(application.in(), "1");
      assertEquals(List.of("1"), sums(application, 1));
      for (int container = 0; container < 3; container++) {
        try (Job other = start(application, container, 3)) {
          JobFailure failure = failureOf(other);
          assertEquals(ExitCode.USAGE, failure.exitCode(), failure.message());
          assertSays(
              failure,
              "Container %d of 3 of '%s'".formatted(container, application.name()),
              "container 0 of 2",
              "container 1 of 2",
              "process " + ProcessHandle.current().pid(),
              "--containers");
        }
      }
      SharedTopics.write(application.in(), "2");
      assertEquals(List.of("1", "3"), sums(application, 2));
      assertUndisturbed(first);
      assertUndisturbed(second);
    }
  }

  @Test
  void aProcessWithAnotherNumberOfWorkersIsRefusedAndDisturbsNobody() throws InterruptedException {
    Numbers application = new Numbers(uniqueName("workers"), false, 3, true);
    SharedTopics.create(application.in(), 3);
    try (Job first = start(application, 0, 2)) {
      LaunchTest.await(first, JobState.RUNNING);
      PlacementConfig three = PlacementConfig.of(1, 2, 3);
      try (Job second = Millrace.start(application, config("second", three))) {
        JobFailure failure = failureOf(second);
        assertEquals(ExitCode.USAGE, failure.exitCode(), failure.message());
        assertSays(failure, "container 0 of 2", "3 workers", "1 worker", "--workers");
      }
      assertUndisturbed(first);
    }
  }

  @Test
  void aContainerThatIsMissingIsSaidByThoseThatRun() throws IOException, InterruptedException {
    Numbers application = new Numbers(uniqueName("missing"), false, 2, true);
    SharedTopics.create(application.in(), 2);
    try (Job first = start(application, 0, 2)) {
      LaunchTest.await(first, JobState.RUNNING);
      awaitMissing(first, 1);
      HttpResponse<String> ready = get(first, "/ready");
      assertEquals(200, ready.statusCode());
      assertTrue(ready.body().startsWith("RUNNING"), ready.body());
      assertTrue(ready.body().contains("No process runs container 1 of 2"), ready.body());
      try (Job second = start(application, 1, 2)) {
        LaunchTest.await(second, JobState.RUNNING);
        awaitMissing(first, 0);
        awaitMissing(second, 0);
        assertEquals("RUNNING", get(first, "/ready").body().strip());
      }
      awaitMissing(first, 1);
    }
  }

  private void awaitMissing(Job job, int wanted) throws IOException, InterruptedException {
    Predicate<String> says =
        text ->
            text.lines()
                .anyMatch(line ->
                    line.startsWith("millrace_containers_missing{")
                        && line.endsWith("} " + wanted));
    long end = System.nanoTime() + PATIENCE.toNanos();
    String text = get(job, "/metrics").body();
    while (!says.test(text)) {
      assertTrue(System.nanoTime() < end, text);
      Thread.sleep(100);
      text = get(job, "/metrics").body();
    }
  }

  private HttpResponse<String> get(Job job, String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + job.metrics().httpPort() + path))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
