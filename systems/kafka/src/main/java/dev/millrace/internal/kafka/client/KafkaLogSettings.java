package dev.millrace.internal.kafka.client;

import dev.millrace.kafka.DataPlane;
import java.time.Duration;
import java.util.Map;

/// Settings of the connection to a Kafka cluster.
///
/// @param bootstrapServers one or more `host:port`, separated by commas
/// @param clientIdPrefix the prefix of the client ids, which identifies application and container
///   to the operators of the cluster
/// @param properties any other properties of the official clients; each client gets those that it
///   knows; checked by [KafkaProperties#problems]
/// @param patience how long a call waits for Kafka before it fails, unless the properties set
///   another time
/// @param connectPatience the same for the first connection
/// @param memory the memory that the clients may use
/// @param dataPlane which clients read and write records
public record KafkaLogSettings(
    String bootstrapServers,
    String clientIdPrefix,
    Map<String, String> properties,
    Duration patience,
    Duration connectPatience,
    ClientMemory memory,
    DataPlane dataPlane) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  public KafkaLogSettings {
    properties = Map.copyOf(properties);
  }

  /// Returns settings without further properties, and with a patience of 10 seconds.
  public static KafkaLogSettings of(String bootstrapServers, String clientIdPrefix) {
    return new KafkaLogSettings(
        bootstrapServers,
        clientIdPrefix,
        Map.of(),
        PATIENCE,
        PATIENCE,
        ClientMemory.defaults(),
        DataPlane.DIRECT);
  }

  public KafkaLogSettings withProperties(Map<String, String> newProperties) {
    return new KafkaLogSettings(
        bootstrapServers,
        clientIdPrefix,
        newProperties,
        patience,
        connectPatience,
        memory,
        dataPlane);
  }

  public KafkaLogSettings withPatience(Duration newPatience) {
    return new KafkaLogSettings(
        bootstrapServers, clientIdPrefix, properties, newPatience, newPatience, memory, dataPlane);
  }

  public KafkaLogSettings withConnectPatience(Duration newPatience) {
    return new KafkaLogSettings(
        bootstrapServers, clientIdPrefix, properties, patience, newPatience, memory, dataPlane);
  }

  public KafkaLogSettings withMemory(ClientMemory newMemory) {
    return new KafkaLogSettings(
        bootstrapServers,
        clientIdPrefix,
        properties,
        patience,
        connectPatience,
        newMemory,
        dataPlane);
  }

  public KafkaLogSettings withDataPlane(DataPlane newDataPlane) {
    return new KafkaLogSettings(
        bootstrapServers,
        clientIdPrefix,
        properties,
        patience,
        connectPatience,
        memory,
        newDataPlane);
  }

  /// Returns the names of the properties without their values, which may be secret.
  @Override
  public String toString() {
    return "KafkaLogSettings["
        + bootstrapServers
        + ", "
        + clientIdPrefix
        + ", "
        + properties.keySet().stream().sorted().toList()
        + ", "
        + patience
        + ", "
        + connectPatience
        + ", "
        + memory
        + ", "
        + dataPlane
        + "]";
  }
}
