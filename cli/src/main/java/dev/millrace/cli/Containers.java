package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// The containers of an application, asked over HTTP for their metrics.
final class Containers implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;

  private final String application;
  private final List<String> addresses;
  private final List<String> unreachable;
  private final String token;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final List<String> silent = new ArrayList<>();

  private Containers(
      String application, List<String> addresses, List<String> unreachable, String token) {
    this.application = application;
    this.addresses = addresses;
    this.unreachable = unreachable;
    this.token = token;
  }

  /// Returns the containers at some addresses.
  ///
  /// @param addresses each `HOST:PORT`
  /// @param token empty if none is needed
  static Containers at(String application, List<String> addresses, String token) {
    return new Containers(application, addresses, List.of(), token);
  }

  /// Returns the containers that were not released, at the addresses in their signs of life.
  ///
  /// @param thisHost the name of this machine, as a process of it would say
  static Containers of(String application, List<ProcessSign> signs, String thisHost, String token) {
    List<String> addresses = new ArrayList<>();
    List<String> unreachable = new ArrayList<>();
    for (ProcessSign sign : signs) {
      if (sign.released()) {
        continue;
      }
      String who = "Container %s on %s".formatted(sign.container(), sign.host());
      if (sign.http().isEmpty()) {
        unreachable.add(who + " serves no metrics. Start it with --http PORT.");
      } else if (!sign.host().equals(thisHost) && isLoopback(sign.http())) {
        unreachable.add(
            who + " serves metrics only on its own host. Set http.host to serve them to others.");
      } else {
        addresses.add(sign.http());
      }
    }
    versions(signs).ifPresent(unreachable::add);
    return new Containers(application, addresses, unreachable, token);
  }

  /// Returns a sentence about the plans of containers that were not released, if they differ.
  private static Optional<String> versions(List<ProcessSign> signs) {
    Map<String, List<String>> containers = new TreeMap<>();
    for (ProcessSign sign : signs) {
      if (!sign.released()) {
        containers.computeIfAbsent(sign.plan(), _ -> new ArrayList<>()).add(sign.container());
      }
    }
    if (containers.size() <= 1) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    containers.forEach((plan, numbers) ->
        parts.add(
            "%s of %s"
                .formatted(
                    plan.isEmpty() ? "an unknown plan" : "plan " + plan,
                    String.join(", ", numbers))));
    return Optional.of(
        "The containers run different versions of the program: " + String.join("; ", parts) + ".");
  }

  private static boolean isLoopback(String address) {
    try {
      String host = Objects.requireNonNullElse(uri(address).getHost(), "");
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException _) {
      return false;
    }
  }

  /// Returns the metrics of those that answer.
  ///
  /// @throws UserException if another program answers, or the token is wrong
  List<Scrape> scrape() throws InterruptedException {
    silent.clear();
    silent.addAll(unreachable);
    List<Scrape> scrapes = new ArrayList<>();
    for (String address : addresses) {
      try {
        scrapes.add(scrape(address));
      } catch (IOException e) {
        silent.add("%s does not answer: %s.".formatted(address, reason(e)));
      }
    }
    return scrapes;
  }

  /// Returns a sentence for each container that did not answer the last request.
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
          "%s requires another token. Set the environment variable MILLRACE_HTTP_TOKEN to the job's http.token."
              .formatted(address));
    }
    Scrape scrape = Scrape.read(address, System.nanoTime(), answer.body());
    if (answer.statusCode() != OK || scrape.application().isEmpty()) {
      throw new UserException(
          ExitCode.USAGE,
          address + " is not a container of Millrace: it serves none of Millrace's metrics.");
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
        ? "no process listens on that port"
        : Objects.requireNonNullElse(e.getMessage(), e.toString());
  }

  private static URI uri(String address) {
    try {
      return URI.create("http://" + address + "/metrics");
    } catch (IllegalArgumentException _) {
      throw new UserException(
          ExitCode.USAGE, "'" + address + "' is not an address. Give HOST:PORT.");
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
