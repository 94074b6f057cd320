package dev.millrace.internal.yarn.master;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A page that says where the processes of an application are. Only the proxy of the resource
/// manager gets it, which has asked its user who he is.
final class MasterPage implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MasterPage.class);
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int BACKLOG = 16;

  private final String name;
  private final String host;
  private final HttpServer server;
  private volatile String text = "";

  /// @param host of this master, by the name that others know
  MasterPage(String name, String host) throws IOException {
    this.name = name;
    this.host = host;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), 0), BACKLOG);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
  }

  /// Begins to serve.
  ///
  /// @param proxies the addresses of those who may ask
  void start(Set<InetAddress> proxies) {
    server.createContext(
        "/",
        exchange -> {
          boolean may = proxies.contains(exchange.getRemoteAddress().getAddress());
          String answer =
              may ? text : "This page is shown by the resource manager of YARN: ask there.\n";
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
          exchange.sendResponseHeaders(may ? OK : FORBIDDEN, body.length);
          try (var out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
  }

  /// Returns the addresses of the proxies of resource managers.
  static Set<InetAddress> proxies(Configuration config) {
    Set<InetAddress> all = new HashSet<>();
    for (String each : WebAppUtils.getProxyHostsAndPortsForAmFilter(config)) {
      int colon = each.lastIndexOf(':');
      String proxy = colon < 0 ? each : each.substring(0, colon);
      try {
        all.addAll(List.of(InetAddress.getAllByName(proxy)));
      } catch (UnknownHostException _) {
        LOG.warn("{} is not known here, so it is not shown the page of this master.", proxy);
      }
    }
    return all;
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://%s:%d/".formatted(host, port());
  }

  /// Shows this from now on.
  void show(List<String> processes, String lastWords) {
    text =
        "Processes of %s on YARN\n\n  %s\n\n%s\n\n'millrace placement %1$s' shows which of them has which task.\n"
            .formatted(name, String.join("\n  ", processes), lastWords);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
