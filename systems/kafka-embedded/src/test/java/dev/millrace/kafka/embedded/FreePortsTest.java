package dev.millrace.kafka.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  private static final int CONNECTIONS = 300;

  @Test
  void noConnectionGetsAPortThatWasGiven() throws IOException {
    List<Socket> connections = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress())) {
      int least = Integer.MAX_VALUE;
      for (int i = 0; i < CONNECTIONS; i++) {
        Socket connection = new Socket(server.getInetAddress(), server.getLocalPort());
        connections.add(connection);
        least = Math.min(least, connection.getLocalPort());
      }
      for (int i = 0; i < CONNECTIONS; i++) {
        assertTrue(FreePorts.next() < least, "below all that connections get");
      }
    } finally {
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }

  @Test
  void noPortIsGivenTwice() throws IOException {
    Set<Integer> given = new HashSet<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      given.add(FreePorts.next());
    }
    assertEquals(CONNECTIONS, given.size());
  }

  @Test
  void whereSomebodyListensIsLeftOut() throws IOException {
    int given = FreePorts.next();
    try (ServerSocket _ = new ServerSocket(given + 1, 1, InetAddress.getLoopbackAddress())) {
      assertNotEquals(given + 1, FreePorts.next());
    }
  }
}
