package dev.millrace.cli.kubernetes;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a container is asked again and again: whether it has started, lives, and is ready. The
/// latter two are asked once it has started.
final class Probes {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final int OK = 200;
  private static final int FIRST_ERROR = 400;

  private final Probe startup;
  private final Probe liveness;
  private final Probe readiness;

  Probes(JsonNode container, String address) {
    int port = container.at("/ports/0/containerPort").asInt();
    startup = new Probe(container.get("startupProbe"), address, port);
    liveness = new Probe(container.get("livenessProbe"), address, port);
    readiness = new Probe(container.get("readinessProbe"), address, port);
  }

  /// Asks what is to be asked at this moment, without waiting for an answer.
  ///
  /// @return whether the container is to be started again
  boolean step() {
    if (!startup.hasSucceeded) {
      startup.step();
      return startup.hasFailed();
    }
    readiness.step();
    liveness.step();
    return liveness.hasFailed();
  }

  boolean hasStarted() {
    return startup.hasSucceeded;
  }

  boolean isReady() {
    return readiness.hasSucceeded && !readiness.hasFailed();
  }

  private static final class Probe {
    private final HttpRequest request;
    private final Duration period;
    private final int threshold;
    private @Nullable CompletableFuture<Boolean> asked;
    private long nextNanos = System.nanoTime();
    private int failures;
    boolean hasSucceeded;

    Probe(JsonNode probe, String address, int port) {
      request =
          HttpRequest.newBuilder(
                  URI.create(
                      "http://%s:%d%s"
                          .formatted(address, port, probe.at("/httpGet/path").asString())))
              .timeout(Duration.ofSeconds(probe.get("timeoutSeconds").asInt()))
              .build();
      period = Duration.ofSeconds(probe.get("periodSeconds").asInt());
      threshold = probe.get("failureThreshold").asInt();
    }

    void step() {
      CompletableFuture<Boolean> answer = asked;
      if (answer != null && answer.isDone()) {
        asked = null;
        if (answer.join()) {
          hasSucceeded = true;
          failures = 0;
        } else {
          failures++;
        }
      }
      if (asked == null && nextNanos - System.nanoTime() <= 0) {
        nextNanos = System.nanoTime() + period.toNanos();
        asked =
            CLIENT
                .sendAsync(request, BodyHandlers.discarding())
                .thenApply(
                    response -> response.statusCode() >= OK && response.statusCode() < FIRST_ERROR)
                .exceptionally(_ -> false);
      }
    }

    boolean hasFailed() {
      return failures >= threshold;
    }
  }
}
