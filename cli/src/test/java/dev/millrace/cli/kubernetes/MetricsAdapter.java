package dev.millrace.cli.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.JsonNode;

/// Serves one metric of pods to the control plane, as an adapter for Prometheus does: the sum of
/// what each pod shows at `/metrics` at this moment. Pods that do not answer have no value.
final class MetricsAdapter implements AutoCloseable {
  private static final String GROUP = "custom.metrics.k8s.io";
  private static final String VERSION = "v1beta2";
  private static final String ROOT = "/apis/" + GROUP + "/" + VERSION;
  private static final char[] PASSWORD = "of-a-test".toCharArray();
  private static final int METRICS_PORT = 8080;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Api api;
  private final String metric;
  private final String token;
  private final HttpsServer server;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  /// @param directory for its certificate
  /// @param metric the name of the metric, here and of pods
  /// @param token that pods ask for
  MetricsAdapter(Api api, Path directory, String metric, String token)
      throws IOException, InterruptedException, GeneralSecurityException {
    this.api = api;
    this.metric = metric;
    this.token = token;
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(certified(directory)));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    register();
  }

  /// With a certificate that it makes for itself.
  private static SSLContext certified(Path directory)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = directory.resolve("adapter.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "adapter",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            new String(PASSWORD));
    Path log = directory.resolve("adapter.log");
    ProcessBuilder keytool =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    if (keytool.start().waitFor() != 0) {
      throw new IOException("There is no certificate: " + Files.readString(log));
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  /// The control plane finds a service by the name of a host, which is this one.
  private void register() throws IOException, InterruptedException {
    api.create(
        "/api/v1/namespaces/kube-system/services",
        Map.of(
            "metadata",
            Map.of("name", "adapter"),
            "spec",
            Map.of("type", "ExternalName", "externalName", "localhost")));
    api.create(
        "/apis/apiregistration.k8s.io/v1/apiservices",
        Map.of(
            "metadata",
            Map.of("name", VERSION + "." + GROUP),
            "spec",
            Map.of(
                "group",
                GROUP,
                "version",
                VERSION,
                "groupPriorityMinimum",
                100,
                "versionPriority",
                100,
                "insecureSkipTLSVerify",
                true,
                "service",
                Map.of(
                    "name",
                    "adapter",
                    "namespace",
                    "kube-system",
                    "port",
                    server.getAddress().getPort()))));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Object answer = null;
    if (path.equals(ROOT)) {
      answer = resources();
    } else if (path.equals(ROOT + "/namespaces/default/pods/*/" + metric)) {
      answer = values();
    }
    byte[] body =
        answer == null
            ? new byte[0]
            : Api.JSON.writeValueAsString(answer).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(
        answer == null ? NOT_FOUND : OK, answer == null ? -1 : body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private Map<String, Object> resources() {
    return Map.of(
        "kind",
        "APIResourceList",
        "apiVersion",
        "v1",
        "groupVersion",
        GROUP + "/" + VERSION,
        "resources",
        List.of(
            Map.of(
                "name",
                "pods/" + metric,
                "singularName",
                "",
                "namespaced",
                true,
                "kind",
                "MetricValueList",
                "verbs",
                List.of("get"))));
  }

  private Map<String, Object> values() throws IOException {
    List<Object> items = new ArrayList<>();
    try {
      for (JsonNode pod : api.list("/api/v1/namespaces/default/pods")) {
        value(pod.at("/status/podIP").asString(""))
            .ifPresent(value ->
                items.add(
                    Map.of(
                        "describedObject",
                        Map.of(
                            "apiVersion", "v1",
                            "kind", "Pod",
                            "namespace", "default",
                            "name", pod.at("/metadata/name").asString()),
                        "metric",
                        Map.of("name", metric),
                        "timestamp",
                        Instant.now().toString(),
                        "value",
                        Long.toString(value))));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    return Map.of(
        "kind",
        "MetricValueList",
        "apiVersion",
        GROUP + "/" + VERSION,
        "metadata",
        Map.of(),
        "items",
        items);
  }

  /// Returns the sum of the metric's lines; empty if the pod does not answer.
  private OptionalLong value(String address) throws InterruptedException {
    if (address.isEmpty()) {
      return OptionalLong.empty();
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://%s:%d/metrics".formatted(address, METRICS_PORT)))
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + token)
            .build();
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      return response.statusCode() != OK
          ? OptionalLong.empty()
          : OptionalLong.of(
              response
                  .body()
                  .lines()
                  .filter(line -> line.startsWith(metric + "{"))
                  .mapToLong(
                      line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                  .sum());
    } catch (IOException _) {
      return OptionalLong.empty();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    client.close();
  }
}
