package dev.millrace.benchmarks.process;

import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.kafka.embedded.EmbeddedKafkaMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/// A Kafka in a process of its own, so that what is measured does not share a heap with it.
public final class Cluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration LOOK = Duration.ofMillis(500);

  /// It is calm if it uses less than one part in so many of a processor, for so many looks.
  private static final int CALM_SHARE = 5;

  private static final int CALM_LOOKS = 6;

  private final Child broker;
  private final String bootstrap;

  /// @param directory for its data and what it says
  /// @param properties of the broker, `name=value`
  public Cluster(Path directory, String... properties)
      throws InterruptedException, TimeoutException {
    List<String> arguments = new ArrayList<>();
    arguments.add(directory.resolve("kafka").toString());
    arguments.add("--exit-with-parent");
    for (String property : properties) {
      arguments.add("--property");
      arguments.add(property);
    }
    broker =
        Child.start(
            "kafka", Program.of(EmbeddedKafkaMain.class, "-Xms1g", "-Xmx1g"), arguments, directory);
    bootstrap = broker.await("READY", PATIENCE);
  }

  public String bootstrap() {
    return bootstrap;
  }

  /// Waits until Kafka has nothing left to do, such as compacting what was just written.
  ///
  /// @param atMost after which it is taken as it is
  public void awaitCalm(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    int calm = 0;
    while (calm < CALM_LOOKS && System.nanoTime() < end) {
      Duration before = broker.cpu();
      Thread.sleep(LOOK.toMillis());
      Duration used = broker.cpu().minus(before);
      calm = used.multipliedBy(CALM_SHARE).compareTo(LOOK) < 0 ? calm + 1 : 0;
    }
  }

  @Override
  public void close() {
    broker.close();
  }
}
