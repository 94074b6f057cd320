package dev.millrace;

import dev.millrace.api.connector.Start;
import dev.millrace.config.ClusterConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.spi.Log;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connection of a job to a log in the memory of this process: one that the program has, or one
/// that begins and ends with the job.
final class MemoryConnection implements LogConnection {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryConnection.class);

  private final LocalLog local;
  private final boolean isOwn;

  private MemoryConnection(LocalLog local, boolean isOwn) {
    this.local = local;
    this.isOwn = isOwn;
  }

  /// @param given the log of the program; null for one of its own
  /// @throws JobStartException if something is configured that needs other processes
  static MemoryConnection open(JobConfig config, @Nullable LocalLog given) {
    List<String> problems = problems(config);
    if (!problems.isEmpty()) {
      throw new JobStartException(String.join("\n", problems));
    }
    if (!config.kafka().bootstrap().isEmpty() || config.embedded().directory() != null) {
      LOG.info("The log is in memory, so the settings of Kafka have no effect.");
    }
    LOG.info(
        "The log is in the memory of this process: when the process ends, the records, the state"
            + " and the positions of the job are gone.");
    return new MemoryConnection(given == null ? new LocalLog() : given, given == null);
  }

  /// Returns a configuration in which inputs begin with their earliest record, unless something
  /// else is said: a log in memory has nothing from before that somebody might not want.
  static JobConfig fromEarliest(JobConfig config) {
    return config.input().start() == null
        ? config.withInput(config.input().withStart(Start.earliest()))
        : config;
  }

  private static List<String> problems(JobConfig config) {
    List<String> problems = new ArrayList<>();
    if (config.placement().standbys() > 0) {
      problems.add(
          needsOthers("placement.standbys", Integer.toString(config.placement().standbys())));
    }
    String membership = config.cluster().membership();
    if (!membership.equals(ClusterConfig.KAFKA)) {
      problems.add(needsOthers("cluster.membership", membership));
    }
    if (config.snapshots().store() != null) {
      problems.add(
          "snapshots.store is %s, but log is memory, so no later process can go on from a snapshot. Leave out snapshots.store, or set log: kafka."
              .formatted(config.snapshots().store()));
    }
    return problems;
  }

  private static String needsOthers(String setting, String value) {
    return "%s is %s, but log is memory, so no second process can take part: each would have a log of its own. Leave out %1$s, or set log: kafka."
        .formatted(setting, value);
  }

  @Override
  public Log log() {
    return local.log();
  }

  @Override
  public void close() {
    if (isOwn) {
      local.close();
    }
  }
}
