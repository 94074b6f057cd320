package dev.millrace.benchmarks.process;

import dev.millrace.kafka.embedded.EmbeddedKafkaMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/// A Kafka in a process of its own, so that what is measured does not share a heap with it.
public final class Cluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

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
            "kafka", EmbeddedKafkaMain.class, List.of("-Xms1g", "-Xmx1g"), arguments, directory);
    bootstrap = broker.await("READY", PATIENCE);
  }

  public String bootstrap() {
    return bootstrap;
  }

  @Override
  public void close() {
    broker.close();
  }
}
