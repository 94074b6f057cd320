package dev.millrace.config;

import java.util.Map;
import java.util.TreeMap;

/// How processes of the application know which of them live.
///
/// @param membership by what, besides what each of them says in Kafka once a second: `kafka` for
///   nothing else, or the name of a service whose module is on the class path, such as `zookeeper`
/// @param properties of that service, without its name in front
public record ClusterConfig(String membership, Map<String, String> properties) {
  /// What needs no service.
  public static final String KAFKA = "kafka";

  /// Copies the properties.
  public ClusterConfig {
    properties = Map.copyOf(properties);
  }

  /// Returns the defaults: by Kafka alone.
  public static ClusterConfig defaults() {
    return new ClusterConfig(KAFKA, Map.of());
  }

  /// Returns a copy with another way of knowing which processes live; `kafka` by default.
  public ClusterConfig withMembership(String newMembership) {
    return new ClusterConfig(newMembership, properties);
  }

  /// Returns a copy with other properties of the service that knows it; none by default.
  public ClusterConfig withProperties(Map<String, String> newProperties) {
    return new ClusterConfig(membership, newProperties);
  }

  /// Shows everything, secrets masked.
  @Override
  public String toString() {
    Map<String, String> shown = new TreeMap<>(properties);
    shown.replaceAll((name, value) -> Secrets.isSecret(name) ? Secrets.MASK : value);
    return "ClusterConfig[membership=%s, properties=%s]".formatted(membership, shown);
  }
}
