package dev.millrace;

import dev.millrace.api.StreamApplication;
import dev.millrace.config.ErrorConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.engine.Engine;
import dev.millrace.engine.input.Sources;
import dev.millrace.engine.lease.ContainerLease;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.settings.EngineSettings;
import dev.millrace.engine.settings.Placement;
import dev.millrace.engine.settings.Surroundings;
import dev.millrace.engine.topology.TopologyGraph;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Disks;
import dev.millrace.state.StateLimits;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a job holds while it runs: the log, the local state, the container, and the engine made of
/// them.
final class JobResources implements AutoCloseable {
  private final StreamApplication application;
  private final JobConfig config;
  private final Clock clock = new SystemClock();
  private final KafkaConnection kafka;
  private final Sources sources;
  private final Plan plan;
  private final StateHome home;
  private @Nullable ContainerLease lease;

  JobResources(StreamApplication application, JobConfig config) {
    this.application = application;
    this.config = config;
    TopologyGraph graph = TopologyGraph.of(application);
    kafka = KafkaConnection.open(application.name(), config);
    Sources connected = null;
    boolean complete = false;
    try {
      connected = Sources.connect(graph);
      sources = connected;
      home =
          new StateHome(
              config.state().directory(), application.name(), config.placement().container());
      plan =
          new JobTopics(kafka.log(), sources, graph, config).plan(application.name(), settings());
      complete = true;
    } finally {
      if (!complete) {
        try (kafka;
            Sources _ = connected) {}
      }
    }
  }

  Plan plan() {
    return plan;
  }

  /// How large the state on disk is. Thread-safe.
  long diskBytes() {
    return home.bytes();
  }

  /// The right to run the container, to be asked for.
  ContainerLease lease() {
    PlacementConfig placement = config.placement();
    ContainerLease asked =
        new ContainerLease(
            new ContainerLease.Request(
                application.name(),
                placement.container(),
                home.self(clock),
                holder -> holder.home().equals(home.name()) && home.tryHold(),
                placement.takeOver()),
            kafka.log(),
            clock);
    lease = asked;
    return asked;
  }

  Engine engine(UnaryOperator<Surroundings> around) {
    Disks disks = home.hold();
    PlacementConfig placement = config.placement();
    int tasks = Math.max(1, plan.tasks() / placement.containers());
    return new Engine(
        plan,
        new Placement(placement.container(), placement.containers(), placement.workers(), false),
        settings(),
        StateLimits.defaults().withCacheBytes(config.state().cacheBytes() / tasks),
        around.apply(new Surroundings(kafka.log(), disks, clock, sources)));
  }

  private EngineSettings settings() {
    ErrorConfig errors = config.errors();
    return new EngineSettings(
        config.commit().interval(),
        config.commit().transactionTimeout(),
        config.state().flushInterval(),
        config.input().idleAfter(),
        config.input().start(),
        config.commit().guarantee(),
        errors.onError(),
        errors.deadLetterTopicOf(application.name()),
        errors.skip());
  }

  /// Lets go in reverse order: the container, the state, Kafka.
  @Override
  public void close() {
    ContainerLease held = lease;
    try (kafka;
        sources;
        home;
        held) {}
  }
}
