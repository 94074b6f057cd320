package dev.millrace.internal.kafka.client;

import dev.millrace.kafka.DataPlane;
import java.time.Duration;
import java.util.Map;

/// How to reach a Kafka cluster.
///
/// @param bootstrapServers one or more `host:port`, separated by commas
/// @param clientIdPrefix the client ids start with it, so that an operator of the cluster knows who
///   it is: application and container
/// @param properties any other properties of the official clients, for whichever of them knows the
///   name; checked by [KafkaProperties#problems]
/// @param patience how long a call waits for Kafka before it fails, unless the properties say
///   otherwise
/// @param connectPatience the same for the first connection
/// @param memory what the clients may use
/// @param dataPlane how records move
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

  /// Settings without further properties, and with a patience of 10 seconds.
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

  /// Names the properties and leaves out their values, which may be secret.
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
