package dev.millrace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.config.HttpConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves metrics and health of a job over HTTP, from its start to its end: `/metrics` as
/// Prometheus text, `/live` with status 200, `/ready` with status 200 while records are processed,
/// `/placement` who has which task, as JSON. If a token is set, `/metrics` and `/placement` require
/// it; probes need none.
final class StatusServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);
  private static final String METRICS = "/metrics";
  private static final String PLACEMENT = "/placement";
  private static final Set<String> GUARDED = Set.of(METRICS, PLACEMENT);
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;

  private record Answer(int status, String type, String body) {
    static Answer plain(int status, String body) {
      return new Answer(status, "text/plain; charset=utf-8", body + "\n");
    }
  }

  private final HttpConfig config;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// @param common labels of every metric
  /// @param placement who has which task, as JSON; null if that is not known yet
  /// @throws JobStartException if the port is taken, or the address may not or cannot be served
  StatusServer(
      HttpConfig config,
      JobMetrics metrics,
      Supplier<JobState> state,
      Supplier<Map<String, String>> common,
      Supplier<@Nullable String> placement) {
    this.config = config;
    if (!config.problem().isEmpty()) {
      threads.close();
      throw new JobStartException(config.problem());
    }
    InetSocketAddress address = new InetSocketAddress(config.host(), config.port());
    try {
      server = HttpServer.create(address, 0);
    } catch (BindException e) {
      threads.close();
      throw new JobStartException(
          "The HTTP server cannot listen on port %d (http.port) at %s: %s. If another process has the port, give another one, or 0 for a free one; if http.host is not an address of this machine, correct it."
              .formatted(config.port(), config.host(), e.getMessage()));
    } catch (IOException e) {
      threads.close();
      throw new JobStartException(
          "The HTTP server cannot listen on port %d of %s: %s"
              .formatted(config.port(), config.host(), e));
    }
    server.setExecutor(threads);
    at("/", () -> Answer.plain(NOT_FOUND, "The pages are /metrics, /placement, /live and /ready."));
    at(
        METRICS,
        () ->
            new Answer(
                OK,
                PrometheusText.CONTENT_TYPE,
                PrometheusText.write(metrics.families(), common.get())));
    at(PLACEMENT, () -> placement(placement.get()));
    at("/live", () -> Answer.plain(OK, state.get().toString()));
    at(
        "/ready",
        () -> Answer.plain(state.get() == JobState.RUNNING ? OK : UNAVAILABLE, state.get().name()));
    server.start();
    metrics.servedAt(port());
  }

  private static Answer placement(@Nullable String json) {
    return json == null
        ? Answer.plain(UNAVAILABLE, "This process does not take part yet.")
        : new Answer(OK, "application/json", json + "\n");
  }

  /// Logs the address of the server.
  void announce() {
    LOG.info(
        "Metrics and health at http://{}:{}/metrics, /live and /ready.", config.host(), port());
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void at(String path, Supplier<Answer> answer) {
    server.createContext(
        path,
        exchange -> {
          boolean known = path.equals("/") || path.equals(exchange.getRequestURI().getPath());
          boolean reads = exchange.getRequestMethod().equals("GET");
          if (!reads) {
            send(exchange, Answer.plain(NOT_ALLOWED, "Only GET is answered."));
          } else if (GUARDED.contains(path) && !showsToken(exchange)) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            send(
                exchange,
                Answer.plain(
                    UNAUTHORIZED, "A token is required: send the header Authorization: Bearer …"));
          } else {
            send(
                exchange, known ? answer.get() : Answer.plain(NOT_FOUND, "There is no such page."));
          }
        });
  }

  private boolean showsToken(HttpExchange exchange) {
    if (config.token().isEmpty()) {
      return true;
    }
    String shown = exchange.getRequestHeaders().getFirst("Authorization");
    byte[] expected = ("Bearer " + config.token()).getBytes(StandardCharsets.UTF_8);
    // Takes as long for a token that is almost right.
    return shown != null && MessageDigest.isEqual(expected, shown.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    exchange.sendResponseHeaders(answer.status(), body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
