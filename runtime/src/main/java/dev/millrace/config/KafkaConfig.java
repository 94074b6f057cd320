package dev.millrace.config;

import java.util.Map;
import java.util.TreeMap;

/// Where Kafka is and how to talk to it.
///
/// @param bootstrap addresses of brokers, `host:port`, separated by commas; empty if it is not
///   known
/// @param embedded whether there is one in this process instead
/// @param properties of the Kafka clients, by their own names
public record KafkaConfig(
    String bootstrap, EmbeddedConfig embedded, Map<String, String> properties) {

  public KafkaConfig {
    properties = Map.copyOf(properties);
  }

  public static KafkaConfig defaults() {
    return of("");
  }

  public static KafkaConfig of(String bootstrap) {
    return new KafkaConfig(bootstrap, EmbeddedConfig.defaults(), Map.of());
  }

  public KafkaConfig withEmbedded(EmbeddedConfig newEmbedded) {
    return new KafkaConfig(bootstrap, newEmbedded, properties);
  }

  /// Secrets are masked.
  @Override
  public String toString() {
    Map<String, String> shown = new TreeMap<>(properties);
    shown.replaceAll((name, value) -> Secrets.isSecret(name) ? Secrets.MASK : value);
    return "KafkaConfig[bootstrap=%s, embedded=%s, properties=%s]"
        .formatted(bootstrap, embedded, shown);
  }
}
