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

  /// It is calm if it uses less of a processor than this, for so many looks.
  private static final double CALM_SHARE = 0.2;

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

  /// The number of Kafka's process.
  public long pid() {
    return broker.pid();
  }

  /// The processor time that Kafka has used so far.
  public Duration cpu() {
    return broker.cpu();
  }

  /// Waits until Kafka has nothing left to do, such as compacting what was just written.
  ///
  /// @param atMost after which it is taken as it is
  public void awaitCalm(Duration atMost) throws InterruptedException {
    awaitCalm(atMost, CALM_SHARE, List.of());
  }

  /// Waits until Kafka and other processes have nothing left to do but what always is to be done,
  /// such as records that come in all the time.
  ///
  /// @param atMost after which it is taken as it is
  /// @param share of a processor that they may use, all together
  public void awaitCalm(Duration atMost, double share, List<Child> others)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    int calm = 0;
    while (calm < CALM_LOOKS && System.nanoTime() < end) {
      Duration before = cpu(others);
      Thread.sleep(LOOK.toMillis());
      Duration used = cpu(others).minus(before);
      calm = used.toNanos() < share * LOOK.toNanos() ? calm + 1 : 0;
    }
  }

  private Duration cpu(List<Child> others) {
    return others.stream().map(Child::cpu).reduce(broker.cpu(), Duration::plus);
  }

  @Override
  public void close() {
    broker.close();
  }
}
