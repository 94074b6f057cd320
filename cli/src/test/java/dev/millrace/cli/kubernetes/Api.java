package dev.millrace.cli.kubernetes;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A client of a server of Kubernetes at a loopback address. Thread-safe.
final class Api {
  static final JsonMapper JSON = JsonMapper.builder().build();
  static final String MERGE = "application/merge-patch+json";
  static final String STRATEGIC = "application/strategic-merge-patch+json";

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int FIRST_ERROR = 400;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final URI server;
  private final String token;
  private final HttpClient client;

  /// An answer that is an error.
  static final class Refused extends IOException {
    final int status;

    Refused(String what, int status, String text) {
      super("%s is answered with %d: %s".formatted(what, status, text));
      this.status = status;
    }

    /// Whether the object has just gone, or has been changed by somebody else.
    boolean isPassing() {
      return status == NOT_FOUND || status == CONFLICT;
    }
  }

  Api(URI server, String token) {
    this.server = server;
    this.token = token;
    client = HttpClient.newBuilder().sslContext(trustful()).connectTimeout(TIMEOUT).build();
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send("GET", path, "application/json", "");
  }

  /// Returns whether there is such an object.
  boolean has(String path) throws IOException, InterruptedException {
    try {
      get(path);
      return true;
    } catch (Refused e) {
      if (e.status == NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  List<JsonNode> list(String path) throws IOException, InterruptedException {
    return StreamSupport.stream(get(path).get("items").spliterator(), false).toList();
  }

  /// Creates an object, of which every field must be known.
  JsonNode create(String path, Object object) throws IOException, InterruptedException {
    return send(
        "POST",
        path + "?fieldValidation=Strict",
        "application/json",
        JSON.writeValueAsString(object));
  }

  JsonNode patch(String path, String type, Object patch) throws IOException, InterruptedException {
    return send("PATCH", path, type, JSON.writeValueAsString(patch));
  }

  /// Deletes an object, unless it is gone already.
  void delete(String path, Object options) throws IOException, InterruptedException {
    try {
      send("DELETE", path, "application/json", JSON.writeValueAsString(options));
    } catch (Refused e) {
      if (e.status != NOT_FOUND) {
        throw e;
      }
    }
  }

  private JsonNode send(String method, String path, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(path))
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", type)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() >= FIRST_ERROR) {
      throw new Refused(method + " " + path, response.statusCode(), response.body());
    }
    return JSON.readTree(response.body());
  }

  /// Its certificate is one that it has made for itself.
  private static SSLContext trustful() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Trustful()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("There is no TLS.", e);
    }
  }

  private static final class Trustful extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
