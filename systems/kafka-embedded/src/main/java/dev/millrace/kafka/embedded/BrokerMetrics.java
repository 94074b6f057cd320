package dev.millrace.kafka.embedded;

import com.yammer.metrics.core.MetricsRegistry;
import java.util.List;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;

/// Clears the registry in which Kafka keeps the metrics of all brokers of a process. Kafka leaves
/// many behind in it when a broker stops, and each keeps that broker's objects in memory.
final class BrokerMetrics {
  private static int brokers;

  private BrokerMetrics() {}

  /// A broker is going to be set up.
  static synchronized void retain() {
    brokers++;
  }

  /// A broker that was retained has stopped.
  static synchronized void release() {
    brokers--;
    if (brokers == 0) {
      MetricsRegistry registry = KafkaYammerMetrics.defaultRegistry();
      List.copyOf(registry.allMetrics().keySet()).forEach(registry::removeMetric);
    }
  }
}
