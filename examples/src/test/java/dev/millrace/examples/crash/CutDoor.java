package dev.millrace.examples.crash;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// A port of 127.0.0.1 behind which a broker is reached, unless the client is cut off: then nothing
/// passes, in one direction or in both, as where a cable is pulled or a rule of a firewall is
/// wrong. Connections stay, and what was on its way comes when the cut is over.
final class CutDoor implements AutoCloseable {
  private static final int BUFFER = 16 << 10;
  private static final long LOOK_NANOS = 2_000_000;

  /// What does not pass.
  enum Cut {
    NOTHING,
    TO_BROKER,
    FROM_BROKER,
    BOTH;

    boolean holds(Cut direction) {
      return this == BOTH || this == direction;
    }
  }

  private final ServerSocket server;
  private final int brokerPort;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile Cut cut = Cut.NOTHING;

  /// @param brokerPort where the broker listens for this client
  CutDoor(int brokerPort) throws IOException {
    this.brokerPort = brokerPort;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /// Sets what does not pass from now on.
  void cut(Cut newCut) {
    cut = newCut;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> connect(client));
      } catch (IOException _) {
        // it is closed, or the client has gone again
      }
    }
  }

  private void connect(Socket client) {
    try {
      await(Cut.TO_BROKER);
      Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
      open.add(broker);
      Thread.ofVirtual().start(() -> pass(broker, client, Cut.FROM_BROKER));
      pass(client, broker, Cut.TO_BROKER);
    } catch (IOException _) { // the broker is away
      end(client);
    }
  }

  private void pass(Socket from, Socket to, Cut direction) {
    byte[] bytes = new byte[BUFFER];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        await(direction);
        out.write(bytes, 0, count);
      }
    } catch (IOException _) {
      // one of the two has ended the connection
    }
    end(from);
    end(to);
  }

  private void await(Cut direction) {
    while (cut.holds(direction) && !server.isClosed()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void end(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException _) {
      // it is of no use any more
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    open.forEach(this::end);
  }
}
