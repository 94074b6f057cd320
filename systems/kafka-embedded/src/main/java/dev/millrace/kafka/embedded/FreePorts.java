package dev.millrace.kafka.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// Ports for servers that are told theirs before they start: in a test, or when one is to come back
/// where it was.
///
/// A server that can choose its own port should be given 0 instead. Of the ports that a system
/// chooses then (from 32768 on with Linux, from 49152 on elsewhere) none is given here: between the
/// choice and the start, or while the server is away, any connection of any process could take it.
///
/// All methods may be called from any thread.
public final class FreePorts {
  private static final int LOWEST = 12_000;
  private static final int HIGHEST = 32_000;

  private static final AtomicInteger turn =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(HIGHEST - LOWEST));

  private FreePorts() {}

  /// Returns a port of the loopback address where nobody listens. No call in the same process gets
  /// it again, until all others were given.
  ///
  /// @throws IOException if no socket can be opened
  public static int next() throws IOException {
    for (int tried = LOWEST; tried < HIGHEST; tried++) {
      int port = LOWEST + Math.floorMod(turn.getAndIncrement(), HIGHEST - LOWEST);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException _) {
        // somebody listens there
      }
    }
    throw new IOException("All ports from %d to %d are in use.".formatted(LOWEST, HIGHEST - 1));
  }
}
