package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The containers of an application, asked over HTTP for their metrics.
final class Containers implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;

  private final String application;
  private final List<String> addresses;
  private final String token;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final List<String> silent = new ArrayList<>();

  /// @param addresses each `HOST:PORT`
  /// @param token empty if none is needed
  Containers(String application, List<String> addresses, String token) {
    this.application = application;
    this.addresses = addresses;
    this.token = token;
  }

  /// The metrics of those that answer.
  ///
  /// @throws UserException if somebody else answers, or the token is not theirs
  List<Scrape> scrape() throws InterruptedException {
    silent.clear();
    List<Scrape> scrapes = new ArrayList<>();
    for (String address : addresses) {
      try {
        scrapes.add(scrape(address));
      } catch (IOException e) {
        silent.add(address + " does not answer: " + reason(e));
      }
    }
    return scrapes;
  }

  /// Those that did not answer when they were asked last, a sentence each.
  List<String> silent() {
    return silent;
  }

  private Scrape scrape(String address) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(address)).timeout(PATIENCE);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() == UNAUTHORIZED) {
      throw new UserException(
          ExitCode.USAGE,
          "%s wants another token. Give the job's http.token by the variable MILLRACE_HTTP_TOKEN."
              .formatted(address));
    }
    Scrape scrape = Scrape.read(address, System.nanoTime(), answer.body());
    if (answer.statusCode() != OK || scrape.application().isEmpty()) {
      throw new UserException(
          ExitCode.USAGE, address + " is no container of Millrace: it has none of its metrics.");
    }
    if (!scrape.application().equals(application)) {
      throw new UserException(
          ExitCode.USAGE,
          "%s is a container of '%s', not of '%s'."
              .formatted(address, scrape.application(), application));
    }
    return scrape;
  }

  private static String reason(IOException e) {
    return e instanceof ConnectException
        ? "nobody listens there"
        : Objects.requireNonNullElse(e.getMessage(), e.toString());
  }

  private static URI uri(String address) {
    try {
      return URI.create("http://" + address + "/metrics");
    } catch (IllegalArgumentException _) {
      throw new UserException(ExitCode.USAGE, "'" + address + "' is no address: give HOST:PORT.");
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
