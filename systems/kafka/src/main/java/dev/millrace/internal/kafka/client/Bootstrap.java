package dev.millrace.internal.kafka.client;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks that a process listens at the bootstrap addresses, before a Kafka client connects:
/// clients retry for ever and fill the log.
public final class Bootstrap {
  private static final Duration ONE_CONNECT = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(250);

  /// The time after which waiting is logged.
  public static final Duration TELL_AFTER = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);

  private record Address(String host, int port) {
    @Override
    public String toString() {
      return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
  }

  private Bootstrap() {}

  /// Returns once one of the addresses accepts a connection.
  ///
  /// @throws LogException of kind `UNAVAILABLE` if none does in time, `REFUSED` if the text is no
  ///   list of addresses
  public static void await(String servers, Duration patience) {
    List<Address> addresses = parse(servers);
    long start = System.nanoTime();
    Map<Address, String> reasons = new LinkedHashMap<>();
    boolean told = false;
    while (true) {
      for (Address address : addresses) {
        Duration left = patience.minusNanos(System.nanoTime() - start);
        if (left.isPositive()) {
          String reason = connect(address, left.compareTo(ONE_CONNECT) < 0 ? left : ONE_CONNECT);
          if (reason.isEmpty()) {
            return;
          }
          reasons.put(address, reason);
        }
      }
      if (System.nanoTime() - start + PAUSE.toNanos() > patience.toNanos()) {
        throw new LogException(Kind.UNAVAILABLE, message(reasons, patience));
      }
      if (!told && System.nanoTime() - start > TELL_AFTER.toNanos()) {
        told = true;
        LOG.info(
            "Waiting up to {} for Kafka: no broker answers at {} yet.",
            Words.time(patience),
            named(reasons));
      }
      pause();
    }
  }

  private static String message(Map<Address, String> reasons, Duration patience) {
    return "No Kafka broker answers at %s within %s. Start it, or correct the bootstrap address."
        .formatted(named(reasons), Words.time(patience));
  }

  private static String named(Map<Address, String> reasons) {
    List<String> each = new ArrayList<>();
    reasons.forEach((address, reason) -> each.add(address + " (" + reason + ")"));
    return String.join(" nor at ", each);
  }

  private static String connect(Address address, Duration timeout) {
    InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
    if (resolved.isUnresolved()) {
      return "the host is not known";
    }
    try (Socket socket = new Socket()) {
      socket.connect(resolved, Math.toIntExact(Math.max(1, timeout.toMillis())));
      return "";
    } catch (IOException e) {
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException(
          Kind.UNAVAILABLE, "The thread was interrupted while it searched for a Kafka broker.", e);
    }
  }

  private static List<Address> parse(String servers) {
    List<Address> addresses = new ArrayList<>();
    for (String server : servers.split(",")) {
      String text = server.strip();
      if (!text.isEmpty()) {
        addresses.add(parseOne(text));
      }
    }
    if (addresses.isEmpty()) {
      throw new LogException(
          Kind.REFUSED, "There is no bootstrap address. Give one such as host:9092.");
    }
    return addresses;
  }

  private static Address parseOne(String text) {
    int scheme = text.indexOf("://");
    String bare = scheme < 0 ? text : text.substring(scheme + 3);
    int colon = bare.lastIndexOf(':');
    String port = bare.substring(colon + 1);
    if (colon <= 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
      throw new LogException(
          Kind.REFUSED, "'" + text + "' is not a bootstrap address. Give one such as host:9092.");
    }
    String host = bare.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    return new Address(
        bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
  }
}
