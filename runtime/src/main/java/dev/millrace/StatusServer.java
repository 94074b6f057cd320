package dev.millrace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says over HTTP, on the loopback interface, how a job is, from its start to its end: `/metrics`
/// as Prometheus text, `/live` with status 200, `/ready` with status 200 while records are
/// processed.
final class StatusServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;

  private record Answer(int status, String type, String body) {
    static Answer plain(int status, String body) {
      return new Answer(status, "text/plain; charset=utf-8", body + "\n");
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// @param port 0 for a free one
  /// @param common labels of every metric
  /// @throws JobStartException if the port is taken
  StatusServer(int port, JobMetrics metrics, Supplier<JobState> state, Map<String, String> common) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      server = HttpServer.create(address, 0);
    } catch (BindException e) {
      threads.close();
      throw new JobStartException(
          "http.port %d is in use by another process: give another one, or 0 for a free one."
              .formatted(port));
    } catch (IOException e) {
      threads.close();
      throw new JobStartException("Port %d cannot be listened on: %s".formatted(port, e));
    }
    server.setExecutor(threads);
    at("/", () -> Answer.plain(NOT_FOUND, "There are /metrics, /live and /ready."));
    at(
        "/metrics",
        () ->
            new Answer(
                OK, PrometheusText.CONTENT_TYPE, PrometheusText.write(metrics.families(), common)));
    at("/live", () -> Answer.plain(OK, state.get().toString()));
    at("/ready", () -> status(state.get(), state.get() == JobState.RUNNING));
    server.start();
    metrics.servedAt(port());
  }

  /// Says in the log where it is.
  void announce() {
    LOG.info("Metrics and health at http://127.0.0.1:{}/metrics, /live and /ready.", port());
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static Answer status(JobState state, boolean good) {
    return Answer.plain(good ? OK : UNAVAILABLE, state.name());
  }

  private void at(String path, Supplier<Answer> answer) {
    server.createContext(
        path,
        exchange -> {
          boolean known = path.equals("/") || path.equals(exchange.getRequestURI().getPath());
          boolean reads = exchange.getRequestMethod().equals("GET");
          if (!reads) {
            send(exchange, Answer.plain(NOT_ALLOWED, "Only GET is answered."));
          } else {
            send(
                exchange, known ? answer.get() : Answer.plain(NOT_FOUND, "There is no such page."));
          }
        });
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
