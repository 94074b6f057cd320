package dev.millrace.config;

import dev.millrace.kafka.DataPlane;
import java.util.Map;
import java.util.TreeMap;

/// Where Kafka is and how to talk to it.
///
/// @param bootstrap addresses of brokers, `host:port`, separated by commas; empty if it is not
///   known
/// @param embedded whether there is one in this process instead
/// @param properties of the Kafka clients, by their own names
/// @param dataPlane how records move between this process and Kafka
public record KafkaConfig(
    String bootstrap,
    EmbeddedConfig embedded,
    Map<String, String> properties,
    DataPlane dataPlane) {

  /// Copies the properties.
  public KafkaConfig {
    properties = Map.copyOf(properties);
  }

  /// Returns the defaults: no address, no properties, the direct data plane.
  public static KafkaConfig defaults() {
    return of("");
  }

  /// Returns the defaults, with the addresses of brokers.
  public static KafkaConfig of(String bootstrap) {
    return new KafkaConfig(bootstrap, EmbeddedConfig.defaults(), Map.of(), DataPlane.DIRECT);
  }

  /// Returns a copy with other addresses of brokers; none by default.
  public KafkaConfig withBootstrap(String newBootstrap) {
    return new KafkaConfig(newBootstrap, embedded, properties, dataPlane);
  }

  /// Returns a copy with or without a Kafka in this process; without by default.
  public KafkaConfig withEmbedded(EmbeddedConfig newEmbedded) {
    return new KafkaConfig(bootstrap, newEmbedded, properties, dataPlane);
  }

  /// Returns a copy with other properties of Kafka's clients, by their own names; none by default.
  public KafkaConfig withProperties(Map<String, String> newProperties) {
    return new KafkaConfig(bootstrap, embedded, newProperties, dataPlane);
  }

  /// Returns a copy with another way of records to and from Kafka; direct by default.
  public KafkaConfig withDataPlane(DataPlane newDataPlane) {
    return new KafkaConfig(bootstrap, embedded, properties, newDataPlane);
  }

  /// Shows everything, secrets masked.
  @Override
  public String toString() {
    Map<String, String> shown = new TreeMap<>(properties);
    shown.replaceAll((name, value) -> Secrets.isSecret(name) ? Secrets.MASK : value);
    return "KafkaConfig[bootstrap=%s, embedded=%s, properties=%s, dataPlane=%s]"
        .formatted(bootstrap, embedded, shown, dataPlane);
  }
}
