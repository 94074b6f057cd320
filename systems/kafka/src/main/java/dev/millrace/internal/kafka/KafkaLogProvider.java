package dev.millrace.internal.kafka;

import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.spi.Log;

/// Offers Kafka as a log to programs that do not know it, by [java.util.ServiceLoader].
public final class KafkaLogProvider implements Log.Provider {

  /// Called by the service loader.
  public KafkaLogProvider() {}

  @Override
  public Log connect(String bootstrapServers, String clientIdPrefix) {
    return KafkaLog.connect(KafkaLogSettings.of(bootstrapServers, clientIdPrefix));
  }
}
