package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.ConfigLoader;
import dev.millrace.config.EmbeddedConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.EmbeddedKafkaProvider;
import dev.millrace.spi.LocalBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which cluster a command is about: that of the configuration, unless a flag says another.
final class ClusterOptions {
  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "The address of a Kafka broker.")
  private @Nullable String bootstrap;

  @Option(
      names = "--embedded",
      arity = "0..1",
      paramLabel = "DIR",
      fallbackValue = "millrace-data/kafka",
      description =
          "Start an embedded Kafka with the data in this directory, as 'millrace kafka' does.")
  private @Nullable Path embedded;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration file to read instead of millrace.yaml.")
  private @Nullable String config;

  /// Uses a cluster.
  interface Use {
    int with(Cluster cluster, JobConfig job) throws InterruptedException;
  }

  /// Uses the address of a cluster.
  interface UseOfAddress {
    int with(String servers, JobConfig job) throws InterruptedException;
  }

  /// @return what the use returns
  int use(Use use) throws InterruptedException {
    return useAddress((servers, job) -> {
      try (Cluster cluster = Cluster.connect(servers, job.kafka().properties())) {
        return use.with(cluster, job);
      }
    });
  }

  /// @return what the use returns
  int useAddress(UseOfAddress use) throws InterruptedException {
    JobConfig job = job();
    Path directory = job.embedded().directory();
    if (directory == null) {
      return use.with(known(job.kafka().bootstrap()), job);
    }
    try (LocalBroker broker =
        new EmbeddedKafkaProvider().start(directory.toAbsolutePath(), job.embedded().port())) {
      return use.with(broker.bootstrapServers(), job);
    }
  }

  /// Returns the configuration.
  JobConfig job() {
    return new ConfigLoader(Path.of(""), System.getenv()).load(flags()).job();
  }

  private static String known(String servers) {
    if (servers.isEmpty()) {
      throw new UserException(
          ExitCode.USAGE,
          "The address of Kafka is unknown. Give --bootstrap HOST:PORT, or --embedded %s for an embedded Kafka that is not running."
              .formatted(EmbeddedConfig.DIRECTORY));
    }
    return servers;
  }

  private List<String> flags() {
    List<String> flags = new ArrayList<>();
    if (config != null) {
      flags.add("--config=" + config);
    }
    if (bootstrap != null) {
      flags.add("--bootstrap=" + bootstrap);
    }
    if (embedded != null) {
      flags.add("--embedded=" + embedded);
    }
    return flags;
  }
}
