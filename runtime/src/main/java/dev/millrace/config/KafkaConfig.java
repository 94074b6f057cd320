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

  public KafkaConfig {
    properties = Map.copyOf(properties);
  }

  public static KafkaConfig defaults() {
    return of("");
  }

  public static KafkaConfig of(String bootstrap) {
    return new KafkaConfig(bootstrap, EmbeddedConfig.defaults(), Map.of(), DataPlane.DIRECT);
  }

  public KafkaConfig withEmbedded(EmbeddedConfig newEmbedded) {
    return new KafkaConfig(bootstrap, newEmbedded, properties, dataPlane);
  }

  /// Secrets are masked.
  @Override
  public String toString() {
    Map<String, String> shown = new TreeMap<>(properties);
    shown.replaceAll((name, value) -> Secrets.isSecret(name) ? Secrets.MASK : value);
    return "KafkaConfig[bootstrap=%s, embedded=%s, properties=%s, dataPlane=%s]"
        .formatted(bootstrap, embedded, shown, dataPlane);
  }
}
