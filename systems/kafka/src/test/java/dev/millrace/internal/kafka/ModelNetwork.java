package dev.millrace.internal.kafka;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.network.ChannelState;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.NetworkSend;
import org.apache.kafka.common.network.Selectable;
import org.apache.kafka.common.network.TransferableChannel;

/// Connections without sockets: what is sent is answered by a function, in the thread that polls.
public final class ModelNetwork implements Selectable {
  /// Who listens.
  public interface Listener {
    /// What becomes of a request: an answer, or nothing of it, or the end of the connection.
    ///
    /// @param connection the same for all that is sent over one
    /// @param request without its length
    Reply receive(String connection, int port, ByteBuffer request);
  }

  /// @param answer without its length; null for none
  /// @param closes whether the connection is lost
  public record Reply(ByteBuffer answer, boolean closes) {}

  private final Listener listener;
  private final Set<Integer> listening;
  private final Map<String, Integer> ports = new HashMap<>();
  private final List<NetworkSend> sent = new ArrayList<>();
  private final List<NetworkSend> sending = new ArrayList<>();
  private final List<NetworkReceive> received = new ArrayList<>();
  private final Map<String, ChannelState> lost = new HashMap<>();
  private final Map<String, ChannelState> losing = new HashMap<>();
  private final List<String> connected = new ArrayList<>();
  private final Set<String> connecting = new LinkedHashSet<>();

  /// @param listening the ports that can be connected to
  public ModelNetwork(Listener listener, Set<Integer> listening) {
    this.listener = listener;
    this.listening = listening;
  }

  @Override
  public void connect(String id, InetSocketAddress address, int sendBytes, int receiveBytes) {
    if (listening.contains(address.getPort())) {
      ports.put(id, address.getPort());
      connecting.add(id);
    } else {
      losing.put(id, ChannelState.NOT_CONNECTED);
    }
  }

  @Override
  public void send(NetworkSend send) {
    sending.add(send);
  }

  @Override
  public void poll(long timeoutMillis) throws IOException {
    sent.clear();
    received.clear();
    connected.clear();
    lost.clear();
    lost.putAll(losing);
    losing.clear();
    connected.addAll(connecting);
    connecting.clear();
    List<NetworkSend> now = List.copyOf(sending);
    sending.clear();
    for (NetworkSend send : now) {
      deliver(send);
    }
    if (timeoutMillis > 0 && sent.isEmpty() && lost.isEmpty() && connected.isEmpty()) {
      sleep();
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void deliver(NetworkSend send) throws IOException {
    String id = send.destinationId();
    Integer port = ports.get(id);
    if (port == null) {
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!send.completed()) {
      send.writeTo(new Channel(bytes));
    }
    sent.add(send);
    Reply reply =
        listener.receive(id, port, ByteBuffer.wrap(bytes.toByteArray()).position(Integer.BYTES));
    if (reply.answer() != null) {
      received.add(new NetworkReceive(id, reply.answer()));
    }
    if (reply.closes()) {
      ports.remove(id);
      losing.put(id, ChannelState.READY);
    }
  }

  private record Channel(ByteArrayOutputStream out) implements TransferableChannel {
    @Override
    public boolean hasPendingWrites() {
      return false;
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      long all = 0;
      for (int i = offset; i < offset + length; i++) {
        all += write(sources[i]);
      }
      return all;
    }

    @Override
    public long write(ByteBuffer[] sources) {
      return write(sources, 0, sources.length);
    }

    @Override
    public int write(ByteBuffer source) {
      byte[] bytes = new byte[source.remaining()];
      source.get(bytes);
      out.writeBytes(bytes);
      return bytes.length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Override
  public List<NetworkSend> completedSends() {
    return sent;
  }

  @Override
  public Collection<NetworkReceive> completedReceives() {
    return received;
  }

  @Override
  public Map<String, ChannelState> disconnected() {
    return lost;
  }

  @Override
  public List<String> connected() {
    return connected;
  }

  @Override
  public boolean isChannelReady(String id) {
    return ports.containsKey(id);
  }

  @Override
  public void close(String id) {
    ports.remove(id);
    connecting.remove(id);
    sending.removeIf(each -> each.destinationId().equals(id));
    received.removeIf(each -> each.source().equals(id));
  }

  @Override
  public void wakeup() {}

  @Override
  public void close() {}

  @Override
  public void mute(String id) {}

  @Override
  public void unmute(String id) {}

  @Override
  public void muteAll() {}

  @Override
  public void unmuteAll() {}
}
