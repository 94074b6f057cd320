package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.config.HttpConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusServerTest {
  private static final String TOKEN = "a-token-of-some-length";

  private final JobMetrics metrics = new JobMetrics(() -> JobState.RUNNING, () -> false);

  private StatusServer server(HttpConfig config) {
    return new StatusServer(
        config, metrics, () -> JobState.RUNNING, () -> Map.of("application", "a"), () -> "{}");
  }

  private static int status(String host, int port, String path, String... headers)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + path));
      if (headers.length > 0) {
        request.headers(headers);
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void metricsAreForThoseWhoShowTheTokenAndHealthForAll() throws IOException, InterruptedException {
    try (StatusServer server = server(HttpConfig.on(0).withToken(TOKEN))) {
      int port = server.port();
      assertEquals(401, status("127.0.0.1", port, "/metrics"));
      assertEquals(401, status("127.0.0.1", port, "/metrics", "Authorization", TOKEN));
      assertEquals(
          401, status("127.0.0.1", port, "/metrics", "Authorization", "Bearer " + TOKEN + "x"));
      assertEquals(200, status("127.0.0.1", port, "/metrics", "Authorization", "Bearer " + TOKEN));
      assertEquals(401, status("127.0.0.1", port, "/placement"));
      assertEquals(
          200, status("127.0.0.1", port, "/placement", "Authorization", "Bearer " + TOKEN));
      assertEquals(200, status("127.0.0.1", port, "/live"));
      assertEquals(200, status("127.0.0.1", port, "/ready"));
    }
  }

  @Test
  void whoHasWhichTaskIsKnownOnceTheProcessTakesPart() throws IOException, InterruptedException {
    try (StatusServer server =
        new StatusServer(HttpConfig.on(0), metrics, () -> JobState.STARTING, Map::of, () -> null)) {
      assertEquals(503, status("127.0.0.1", server.port(), "/placement"));
      assertEquals(404, status("127.0.0.1", server.port(), "/placement/x"));
    }
  }

  @Test
  void itListensWhereItIsTold() throws IOException, InterruptedException {
    try (StatusServer server = server(HttpConfig.on(0).withHost("127.0.0.2"))) {
      assertEquals(200, status("127.0.0.2", server.port(), "/metrics"));
      int port = server.port();
      assertThrows(ConnectException.class, () -> status("127.0.0.1", port, "/metrics"));
    }
  }

  @Test
  void anAddressThatOthersReachNeedsAToken() {
    JobStartException refused =
        assertThrows(
            JobStartException.class, () -> server(HttpConfig.on(0).withHost("0.0.0.0")).close());
    assertTrue(String.valueOf(refused.getMessage()).contains("MILLRACE_HTTP_TOKEN"));
    assertEquals("", HttpConfig.on(0).withHost("0.0.0.0").withToken(TOKEN).problem());
    assertTrue(
        HttpConfig.on(0)
            .withHost("0.0.0.0")
            .withToken("short")
            .problem()
            .contains("16 characters"));
    assertTrue(HttpConfig.on(0).withHost("no such host").problem().contains("no address"));
    // Nothing is served.
    assertEquals("", HttpConfig.on(-1).withHost("0.0.0.0").problem());
  }

  @Test
  void othersFindItByTheNameOfTheMachineWhereEveryAddressIsListenedOn() {
    assertEquals("box", HttpConfig.on(0).withHost("0.0.0.0").withToken(TOKEN).reachedAt("box"));
    assertEquals("box", HttpConfig.on(0).withHost("::").withToken(TOKEN).reachedAt("box"));
    assertEquals("127.0.0.2", HttpConfig.on(0).withHost("127.0.0.2").reachedAt("box"));
    assertEquals("[::1]", HttpConfig.on(0).withHost("::1").reachedAt("box"));
  }

  @Test
  void theTokenIsNotShown() {
    assertFalse(HttpConfig.on(0).withToken(TOKEN).toString().contains(TOKEN));
  }
}
