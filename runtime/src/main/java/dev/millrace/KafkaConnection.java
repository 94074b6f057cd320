package dev.millrace;

import dev.millrace.config.EmbeddedConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.kafka.KafkaLog;
import dev.millrace.internal.kafka.client.ClientMemory;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.internal.kafka.client.KafkaProperties;
import dev.millrace.spi.LocalBroker;
import dev.millrace.spi.Log;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connection of a job to Kafka: to a running cluster, or to one that is started in this
/// process first and stopped last.
final class KafkaConnection implements LogConnection {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaConnection.class);

  private final @Nullable LocalBroker broker;
  private final Log log;

  private KafkaConnection(@Nullable LocalBroker broker, Log log) {
    this.broker = broker;
    this.log = log;
  }

  /// @param memory of each worker's clients
  /// @throws JobStartException if there is no address, or two
  /// @throws dev.millrace.spi.LogException if Kafka does not answer, or cannot be started
  static KafkaConnection open(String application, JobConfig config, ClientMemory memory) {
    String bootstrap = config.kafka().bootstrap();
    EmbeddedConfig embedded = config.embedded();
    Path directory = embedded.directory();
    if (directory == null) {
      return new KafkaConnection(
          null, connect(application, requireAddress(bootstrap), config, memory, ""));
    }
    if (!bootstrap.isEmpty()) {
      throw new JobStartException(
          "Two Kafka clusters are configured: kafka.bootstrap.servers is %s, and --embedded starts one in this process. Give one of the two."
              .formatted(bootstrap));
    }
    LocalBroker broker = provider().start(directory, embedded.port());
    boolean connected = false;
    try {
      String where = " (embedded, in " + directory.toAbsolutePath() + ")";
      Log log = connect(application, broker.bootstrapServers(), config, memory, where);
      connected = true;
      return new KafkaConnection(broker, log);
    } finally {
      if (!connected) {
        broker.close();
      }
    }
  }

  private static String requireAddress(String bootstrap) {
    if (bootstrap.isEmpty()) {
      throw new JobStartException(
          """
          kafka.bootstrap.servers is not set, so the address of Kafka is unknown.
          Give its address as --bootstrap HOST:PORT, as MILLRACE_KAFKA_BOOTSTRAP_SERVERS or in millrace.yaml,
          or start with --embedded to run Kafka inside this process. A job that may be lost with its process
          needs no Kafka: --log=memory.\
          """);
    }
    return bootstrap;
  }

  private static LocalBroker.Provider provider() {
    return ServiceLoader.load(LocalBroker.Provider.class)
        .findFirst()
        .orElseThrow(() ->
            new JobStartException(
                "--embedded needs the dependency dev.millrace:millrace-kafka-embedded:%s on the class path."
                    .formatted(BuildVersion.version())));
  }

  private static Log connect(
      String application, String bootstrap, JobConfig config, ClientMemory memory, String where) {
    KafkaLog log =
        KafkaLog.connect(
            KafkaLogSettings.of(bootstrap, application)
                .withProperties(config.kafka().properties())
                .withConnectPatience(KafkaForStart.PATIENCE)
                .withMemory(memory)
                .withDataPlane(config.kafka().dataPlane()));
    LOG.info("Kafka cluster {} at {}{}.", log.clusterId(), bootstrap, where);
    List<String> withoutEffect =
        KafkaProperties.withoutEffect(config.kafka().dataPlane(), config.kafka().properties());
    if (!withoutEffect.isEmpty()) {
      LOG.warn(
          "These settings have no effect: kafka.{}. Only kafka.data-plane: official uses them.",
          String.join(", kafka.", withoutEffect));
    }
    if (!log.weakness().isEmpty()) {
      LOG.warn("{}", log.weakness());
    }
    return log;
  }

  @Override
  public Log log() {
    return log;
  }

  @Override
  public void close() {
    try (broker) {
      log.close();
    }
  }
}
