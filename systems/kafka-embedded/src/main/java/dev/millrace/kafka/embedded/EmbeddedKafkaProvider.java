package dev.millrace.kafka.embedded;

import dev.millrace.spi.LocalBroker;
import dev.millrace.spi.LogException;
import java.nio.file.Path;
import java.util.Objects;

/// Offers the embedded broker to programs that do not know it, by [java.util.ServiceLoader].
public final class EmbeddedKafkaProvider implements LocalBroker.Provider {

  /// Called by the service loader.
  public EmbeddedKafkaProvider() {}

  @Override
  public LocalBroker start(Path directory, int port) {
    try {
      // Old events that are replayed must not be deleted because of their age.
      return new Started(
          EmbeddedKafka.builder(directory).port(port).property("log.retention.ms", "-1").start(),
          directory);
    } catch (EmbeddedKafkaException e) {
      throw new LogException(
          LogException.Kind.REFUSED, Objects.requireNonNullElse(e.getMessage(), e.toString()), e);
    }
  }

  private record Started(EmbeddedKafka kafka, Path directory) implements LocalBroker {

    @Override
    public String bootstrapServers() {
      return kafka.bootstrapServers();
    }

    @Override
    public String clusterId() {
      return kafka.clusterId();
    }

    @Override
    public void close() {
      kafka.close();
    }
  }
}
