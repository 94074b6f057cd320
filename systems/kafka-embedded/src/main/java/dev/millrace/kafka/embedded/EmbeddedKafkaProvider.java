package dev.millrace.kafka.embedded;

import dev.millrace.spi.LocalBroker;
import dev.millrace.spi.LogException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Offers the embedded broker to programs that do not know it, by [java.util.ServiceLoader].
public final class EmbeddedKafkaProvider implements LocalBroker.Provider {

  /// Called by the service loader.
  public EmbeddedKafkaProvider() {}

  @Override
  public LocalBroker start(Path directory, int port) {
    CompletableFuture<LogException> failure = new CompletableFuture<>();
    try {
      // Old events that are replayed must not be deleted because of their age.
      EmbeddedKafka kafka =
          EmbeddedKafka.builder(directory)
              .port(port)
              .property("log.retention.ms", "-1")
              .onFailure(e -> failure.complete(failed(LogException.Kind.UNAVAILABLE, e)))
              .start();
      return new Started(kafka, directory, failure.minimalCompletionStage());
    } catch (EmbeddedKafkaException e) {
      throw failed(LogException.Kind.REFUSED, e);
    }
  }

  private static LogException failed(LogException.Kind kind, EmbeddedKafkaException e) {
    return new LogException(kind, Objects.requireNonNullElse(e.getMessage(), e.toString()), e);
  }

  private record Started(EmbeddedKafka kafka, Path directory, CompletionStage<LogException> failure)
      implements LocalBroker {

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
