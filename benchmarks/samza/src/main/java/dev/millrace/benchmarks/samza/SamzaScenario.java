package dev.millrace.benchmarks.samza;

import dev.millrace.benchmarks.scenarios.Assignment;
import dev.millrace.benchmarks.scenarios.Scenario;
import dev.millrace.benchmarks.scenarios.ScenarioMain;
import dev.millrace.benchmarks.scenarios.ScenarioPeer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.samza.config.MapConfig;
import org.apache.samza.job.ApplicationStatus;
import org.apache.samza.runtime.LocalApplicationRunner;
import org.jspecify.annotations.Nullable;

/// Samza in the scenarios: one container inside a process, without YARN and ZooKeeper. It has no
/// guarantee but at least once.
public final class SamzaScenario implements ScenarioPeer {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String VERSION = "1.8.0";

  private @Nullable LocalApplicationRunner runner;

  private SamzaScenario() {}

  public static void main(String[] args) throws Exception {
    ScenarioMain.run(SamzaScenario::new, args);
  }

  @Override
  public String version() {
    return "Samza " + VERSION;
  }

  @Override
  public String settings(Assignment assignment) {
    return "at least once; %s; state %s"
        .formatted(
            new TreeMap<>(tuned(assignment)),
            switch (assignment.scenario()) {
              case PASS -> "none";
              case COUNT_MEMORY, EXCHANGE -> "in memory, no changelog";
              case COUNT_DISK -> "in RocksDB behind a cache of objects, no changelog";
              case COUNT_DISK_CHANGELOG -> "in RocksDB behind a cache of objects, with changelog";
            });
  }

  /// What is not as it comes: a thread for each processor, since one is what it has otherwise;
  /// commits every 10 s, or every 100 ms where output is wanted soon; and large batches.
  private static Map<String, String> tuned(Assignment assignment) {
    Map<String, String> tuned = new HashMap<>();
    tuned.put("job.container.thread.pool.size", Integer.toString(assignment.threads()));
    tuned.put("task.commit.ms", assignment.soon() ? "100" : "10000");
    tuned.put("systems.kafka.samza.fetch.threshold", "50000");
    tuned.put("systems.kafka.producer.batch.size", "131072");
    tuned.put("systems.kafka.producer.linger.ms", assignment.soon() ? "1" : "5");
    return tuned;
  }

  @Override
  public void start(Assignment assignment) {
    Map<String, String> config = new HashMap<>(tuned(assignment));
    config.put("app.name", assignment.job());
    config.put("app.id", "1");
    config.put("job.name", assignment.job());
    config.put("processor.id", "1");
    config.put(
        "job.coordinator.factory", "org.apache.samza.standalone.PassthroughJobCoordinatorFactory");
    config.put(
        "task.name.grouper.factory",
        "org.apache.samza.container.grouper.task.SingleContainerGrouperFactory");
    config.put("job.coordinator.system", "kafka");
    config.put("job.coordinator.replication.factor", "1");
    config.put("job.default.system", "kafka");
    config.put("job.logged.store.base.dir", assignment.state().toString());
    config.put(
        "job.non-logged.store.base.dir", assignment.state().resolve("not-logged").toString());
    config.put(
        "task.checkpoint.factory",
        "org.apache.samza.checkpoint.kafka.KafkaCheckpointManagerFactory");
    config.put("task.checkpoint.system", "kafka");
    config.put("task.checkpoint.replication.factor", "1");
    config.put("systems.kafka.default.stream.replication.factor", "1");
    config.put("stores.default.changelog.replication.factor", "1");
    LocalApplicationRunner started =
        new LocalApplicationRunner(
            assignment.scenario() == Scenario.EXCHANGE
                ? new Exchanging(assignment)
                : new TaskByTask(assignment),
            new MapConfig(config));
    runner = started;
    started.run(null);
  }

  @Override
  public long processed() {
    ApplicationStatus status = Objects.requireNonNull(runner).status();
    if (status.getStatusCode() == ApplicationStatus.StatusCode.UnsuccessfulFinish) {
      throw new IllegalStateException("Samza has failed.", status.getThrowable());
    }
    return ScenarioPeer.super.processed();
  }

  @Override
  public void stop() {
    LocalApplicationRunner running = runner;
    if (running != null) {
      running.kill();
      running.waitForFinish(PATIENCE);
    }
  }
}
