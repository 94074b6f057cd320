package dev.millrace.kafka.embedded;

import static dev.millrace.kafka.embedded.EmbeddedKafkaException.Kind.PORT_IN_USE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.apache.kafka.common.network.Selectable;
import org.apache.kafka.server.ServerSocketFactory;

/// The two sockets of an embedded broker, bound to the loopback address before the broker starts:
/// so a port is never lost between choosing and binding it, and one that is in use is found at
/// once.
final class LoopbackSockets implements ServerSocketFactory, AutoCloseable {
  static final String HOST = "127.0.0.1";
  static final InetAddress ADDRESS = InetAddress.ofLiteral(HOST);
  private static final int BACKLOG = 50;

  private final ServerSocketChannel broker;
  private final ServerSocketChannel controller;

  private LoopbackSockets(ServerSocketChannel broker, ServerSocketChannel controller) {
    this.broker = broker;
    this.controller = controller;
  }

  /// @param port of the broker, 0 for a free one; the controller always gets a free one
  static LoopbackSockets bind(int port) {
    ServerSocketChannel broker = bindOne(port);
    try {
      return new LoopbackSockets(broker, bindOne(0));
    } catch (EmbeddedKafkaException e) {
      closeOne(broker);
      throw e;
    }
  }

  int brokerPort() {
    return broker.socket().getLocalPort();
  }

  int controllerPort() {
    return controller.socket().getLocalPort();
  }

  @Override
  public ServerSocketChannel openServerSocket(
      String listenerName, InetSocketAddress address, int backlog, int receiveBufferBytes)
      throws IOException {
    ServerSocketChannel socket =
        switch (listenerName) {
          case BrokerSettings.BROKER_LISTENER -> broker;
          case BrokerSettings.CONTROLLER_LISTENER -> controller;
          default -> throw new IOException("No socket is bound for listener " + listenerName);
        };
    if (receiveBufferBytes != Selectable.USE_DEFAULT_BUFFER_SIZE) {
      socket.socket().setReceiveBufferSize(receiveBufferBytes);
    }
    socket.configureBlocking(false);
    return socket;
  }

  @Override
  public void close() {
    closeOne(broker);
    closeOne(controller);
  }

  private static ServerSocketChannel bindOne(int port) {
    try {
      ServerSocketChannel socket = ServerSocketChannel.open();
      try {
        return socket.bind(new InetSocketAddress(ADDRESS, port), BACKLOG);
      } catch (IOException e) {
        closeOne(socket);
        throw e;
      }
    } catch (IOException e) {
      throw new EmbeddedKafkaException(
          PORT_IN_USE,
          "The embedded broker cannot listen on %s:%d: %s. Use another port, or 0 for a free one."
              .formatted(HOST, port, e.getMessage()),
          e);
    }
  }

  private static void closeOne(ServerSocketChannel socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
