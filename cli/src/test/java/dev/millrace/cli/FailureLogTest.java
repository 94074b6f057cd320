package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.Job;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.connector.Start;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

/// Why a job failed is in its log, also if it was started within another program.
@ResourceLock("what is logged")
class FailureLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.millrace");
  private final ListAppender<ILoggingEvent> heard = new ListAppender<>();
  private final String name = uniqueName("fails");

  @TempDir private Path directory;

  private record Numbers(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
          .map(text -> Long.parseLong(text))
          .to(Kafka.sink(name + "-out").partitions(1).value(Serdes.longs()));
    }
  }

  @BeforeEach
  void listen() {
    heard.start();
    logger.setLevel(Level.INFO); // a simulation has it say nothing
    logger.addAppender(heard);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(heard);
  }

  @Test
  void aBadRecordIsNamedAtError() throws InterruptedException {
    SharedTopics.create(name + "-in", 1);
    SharedTopics.write(name + "-in", "1", "two");
    ILoggingEvent error = failure();
    String message = error.getFormattedMessage();
    for (String part : List.of("exit code 3", "Task 0-0", name + "-in:0:1", "map", "two")) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void whatKeepsAJobFromItsStartIsNamedAtError() throws InterruptedException {
    String message = failure().getFormattedMessage();
    assertTrue(message.contains("exit code 2"), message);
    assertTrue(message.contains("'" + name + "-in'"), message);
  }

  @Test
  void aStartThatHasNoEffectSaysSo() throws InterruptedException {
    SharedTopics.create(name + "-in", 1);
    SharedTopics.write(name + "-in", "1");
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withState(StateConfig.in(directory).withFlushInterval(Duration.ofSeconds(1)))
            .withInput(InputConfig.defaults().withStart(Start.latest()));
    for (int run = 0; run < 2; run++) {
      try (Job job = Millrace.start(new Numbers(name), config)) {
        SharedTopics.read(name + "-out", 1);
        assertTrue(job.stop(Duration.ofMinutes(2)));
      }
      assertEquals(
          run,
          List.copyOf(heard.list).stream()
              .filter(event ->
                  event.getFormattedMessage().contains("input.start (--start) applies only"))
              .count());
    }
  }

  private ILoggingEvent failure() throws InterruptedException {
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withState(StateConfig.in(directory).withFlushInterval(Duration.ofSeconds(1)));
    try (Job job = Millrace.start(new Numbers(name), config)) {
      assertTrue(job.await(Duration.ofMinutes(2)));
    }
    List<ILoggingEvent> errors =
        List.copyOf(heard.list).stream()
            .filter(event -> event.getLevel() == Level.ERROR)
            .filter(event -> event.getMDCPropertyMap().containsValue(name))
            .toList();
    assertEquals(1, errors.size(), errors.toString());
    return errors.getFirst();
  }
}
