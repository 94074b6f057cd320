package dev.millrace.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// The address for metrics and health.
///
/// @param port 0 for a free one, -1 for none
/// @param host the address to listen on, a name or a number; others than this machine reach it only
///   if it is none of the loopback interface
/// @param token what a request for metrics must show as `Authorization: Bearer TOKEN`; empty for
///   none, which only the loopback interface allows
public record HttpConfig(int port, String host, String token) {
  static final int SHORTEST_TOKEN = 16;
  private static final String LOOPBACK = "127.0.0.1";

  /// Returns the defaults: nothing is served; on the loopback interface, without a token, once
  /// there is a port.
  public static HttpConfig defaults() {
    return on(-1);
  }

  /// Returns the loopback interface with a port, without a token.
  public static HttpConfig on(int port) {
    return new HttpConfig(port, LOOPBACK, "");
  }

  /// Returns a copy with another port; 0 for a free one, -1, as by default, for none.
  public HttpConfig withPort(int newPort) {
    return new HttpConfig(newPort, host, token);
  }

  /// Returns a copy with another address to listen on; the loopback interface by default.
  public HttpConfig withHost(String newHost) {
    return new HttpConfig(port, newHost, token);
  }

  /// Returns a copy with a token of at least 16 characters; none by default.
  public HttpConfig withToken(String newToken) {
    return new HttpConfig(port, host, newToken);
  }

  /// Returns why this cannot be served; empty if it can.
  public String problem() {
    if (port < 0) {
      return "";
    }
    if (!token.isEmpty() && token.length() < SHORTEST_TOKEN) {
      return "http.token is too short: it must have at least %d characters."
          .formatted(SHORTEST_TOKEN);
    }
    try {
      if (token.isEmpty() && !InetAddress.getByName(host).isLoopbackAddress()) {
        return "http.host is %s, which other machines reach, and there is no http.token. Set one, best by the variable MILLRACE_HTTP_TOKEN; who asks for /metrics shows it as 'Authorization: Bearer TOKEN'."
            .formatted(host);
      }
    } catch (UnknownHostException _) {
      return "http.host is '%s', which is no address of this machine.".formatted(host);
    }
    return "";
  }

  /// Returns how others find the host: by its name if every address of it is listened on.
  ///
  /// @param name of this machine
  public String reachedAt(String name) {
    try {
      InetAddress address = InetAddress.getByName(host);
      String shown = address.isAnyLocalAddress() ? name : host;
      return shown.contains(":") ? "[" + shown + "]" : shown;
    } catch (UnknownHostException _) {
      return host;
    }
  }

  /// Shows everything but the token.
  @Override
  public String toString() {
    return "HttpConfig[port=%d, host=%s, token=%s]"
        .formatted(port, host, token.isEmpty() ? "" : Secrets.MASK);
  }
}
