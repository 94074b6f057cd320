package dev.millrace.examples;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.Job;
import dev.millrace.JobState;
import dev.millrace.Millrace;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.connector.Start;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanPreview;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every example that reads Kafka starts on a Kafka that has its input topics, with nothing but
/// `--start earliest`.
class EveryExampleStartsTest {
  private static final int LEAST = 10;

  @TempDir private Path directory;

  @Test
  void onAKafkaWithItsTopics() throws Exception {
    Set<String> created = new TreeSet<>();
    List<String> started = new ArrayList<>();
    for (StreamApplication application : applications()) {
      Plan plan = PlanPreview.of(application, Map.of());
      for (Plan.Stage stage : plan.stages()) {
        for (Plan.Input input : stage.inputs()) {
          if (mustBeThere(input) && created.add(input.stream())) {
            SharedTopics.create(input.stream(), 2);
          }
        }
      }
      starts(application);
      started.add(application.name());
    }
    assertFalse(started.size() < LEAST, started.toString());
  }

  /// Whether the application reads a topic that it does not create.
  private static boolean mustBeThere(Plan.Input input) {
    return input.heads().stream()
        .anyMatch(head -> head instanceof Node.Input read && isNotMade(read));
  }

  private static boolean isNotMade(Node.Input read) {
    TopicSettings topic = read.source().topic();
    return topic != null && topic.partitions() == 0;
  }

  private void starts(StreamApplication application) throws InterruptedException {
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withInput(InputConfig.defaults().withStart(Start.earliest()))
            .withState(
                StateConfig.in(directory.resolve(application.name()))
                    .withFlushInterval(Duration.ofSeconds(1)));
    try (Job job = Millrace.start(application, config)) {
      Patience patience = Patience.of(Duration.ofSeconds(60));
      while (job.state() == JobState.STARTING && !patience.isOver()) {
        patience.pause();
      }
      // A bounded one may have come to its end already.
      Set<JobState> begun = Set.of(JobState.RUNNING, JobState.STOPPING, JobState.COMPLETED);
      JobState state = job.state();
      assertTrue(
          begun.contains(state) && job.failure() == null,
          () -> application.name() + " is " + state + ": " + job.failure());
    }
  }

  /// Those that can be made without anything else.
  private static List<StreamApplication> applications()
      throws IOException, ReflectiveOperationException {
    Path classes = Path.of("target/classes");
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      files
          .map(file -> classes.relativize(file).toString())
          .filter(file -> file.endsWith(".class"))
          .sorted()
          .forEach(file -> names.add(file.replace(".class", "").replace('/', '.')));
    }
    List<StreamApplication> all = new ArrayList<>();
    for (String name : names) {
      Class<?> type = Class.forName(name);
      if (StreamApplication.class.isAssignableFrom(type)
          && !Modifier.isAbstract(type.getModifiers())) {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
          if (constructor.getParameterCount() == 0) {
            constructor.setAccessible(true);
            all.add((StreamApplication) constructor.newInstance());
          }
        }
      }
    }
    return all;
  }
}
