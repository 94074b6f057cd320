package dev.millrace.kafka.embedded;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import kafka.server.KafkaConfig;

/// The properties of an embedded broker: what makes it one, what suits a single node in a small
/// heap, and what the user sets. Everything else is Kafka's default; in particular a topic keeps
/// its records for seven days, counted from the records' own timestamps.
final class BrokerSettings {
  static final int NODE_ID = 1;
  static final String BROKER_LISTENER = "PLAINTEXT";
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  private static final Map<String, String> OWNED =
      Map.ofEntries(
          Map.entry("process.roles", "the node is broker and controller"),
          Map.entry("node.id", "there is one node"),
          Map.entry("broker.id", "there is one node"),
          Map.entry("log.dir", "data is kept in the data directory"),
          Map.entry("log.dirs", "data is kept in the data directory"),
          Map.entry("metadata.log.dir", "data is kept in the data directory"),
          Map.entry(
              "listeners", "the broker listens on the loopback address; the port has a setting"),
          Map.entry("advertised.listeners", "it follows from the port"),
          Map.entry("listener.security.protocol.map", "there are two plain listeners"),
          Map.entry("inter.broker.listener.name", "there are two plain listeners"),
          Map.entry("security.inter.broker.protocol", "there are two plain listeners"),
          Map.entry("early.start.listeners", "there are two plain listeners"),
          Map.entry("controller.listener.names", "there are two plain listeners"),
          Map.entry("controller.quorum.voters", "the node is its own quorum"),
          Map.entry("controller.quorum.bootstrap.servers", "the node is its own quorum"));

  private BrokerSettings() {}

  /// Fails unless the property is one of the broker's own and may be set by the user.
  static void check(String name) {
    String reason = OWNED.get(name);
    if (reason != null) {
      throw new IllegalArgumentException(
          "The broker property '%s' cannot be set for an embedded broker: %s."
              .formatted(name, reason));
    }
    if (!KafkaConfig.configDef().names().contains(name)) {
      throw new IllegalArgumentException(
          "'%s' is not a property of a Kafka broker.".formatted(name));
    }
  }

  /// @param brokerPort where clients connect
  /// @param controllerPort where the broker part connects to the controller part
  /// @param user checked properties, which win over the defaults here
  static Map<String, String> of(
      Path logDirectory, int brokerPort, int controllerPort, Map<String, String> user) {
    var settings = new TreeMap<>(singleNode());
    settings.putAll(user);
    String broker = BROKER_LISTENER + "://" + LoopbackSockets.HOST + ":" + brokerPort;
    String controller = LoopbackSockets.HOST + ":" + controllerPort;
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", Integer.toString(NODE_ID));
    settings.put("log.dirs", logDirectory.toString());
    settings.put("listeners", broker + "," + CONTROLLER_LISTENER + "://" + controller);
    settings.put("advertised.listeners", broker);
    settings.put("controller.listener.names", CONTROLLER_LISTENER);
    settings.put("controller.quorum.voters", NODE_ID + "@" + controller);
    settings.put("inter.broker.listener.name", BROKER_LISTENER);
    settings.put(
        "listener.security.protocol.map",
        BROKER_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
    return settings;
  }

  private static Map<String, String> singleNode() {
    var settings = new LinkedHashMap<String, String>();
    settings.put("auto.create.topics.enable", "false");

    // One copy of everything; few partitions, since each is a directory to open and close.
    settings.put("default.replication.factor", "1");
    settings.put("min.insync.replicas", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "4");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "4");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("share.coordinator.state.topic.num.partitions", "1");

    // Nobody to wait for.
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("add.partitions.to.txn.retry.backoff.ms", "1");
    settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
    // Otherwise the idle controller writes and syncs an empty record twice a second.
    settings.put("metadata.max.idle.interval.ms", "0");

    // Few threads, small buffers.
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "4");
    settings.put("background.threads", "2");
    settings.put("num.recovery.threads.per.data.dir", "2");
    settings.put("group.coordinator.threads", "1");
    settings.put("share.coordinator.threads", "1");
    settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 << 20));
    return settings;
  }
}
