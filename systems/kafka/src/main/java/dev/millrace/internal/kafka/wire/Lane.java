package dev.millrace.internal.kafka.wire;

import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;

/// Connections for requests that must not wait behind others to the same broker.
public final class Lane {
  private static final int NODES = 1_000_000;

  private final Wire wire;
  private final int number;

  /// Which broker is connected to next.
  private int turn;

  Lane(Wire wire, int number) {
    this.wire = wire;
    this.number = number;
  }

  /// Returns the node of a broker in this lane.
  public Node of(Node broker) {
    int id = Integer.MAX_VALUE - number * NODES - broker.id();
    return new Node(id, Objects.requireNonNull(broker.host()), broker.port(), broker.rack());
  }

  /// Returns whether a node is one that [#of] has returned.
  public boolean has(Node node) {
    int broker = Integer.MAX_VALUE - number * NODES - node.id();
    return broker >= 0 && broker < NODES;
  }

  /// Returns the number of the broker that a node is of, in this lane or outside of lanes.
  public int broker(Node node) {
    return has(node) ? Integer.MAX_VALUE - number * NODES - node.id() : node.id();
  }

  /// Returns a broker that can be asked for anything, or null if none is connected; then one is
  /// connected to. The lane is taken where nothing else can be sent, as when a quota holds all
  /// connections back.
  public @Nullable Node anyBroker() {
    Node free = wire.leastLoaded();
    Node node = free == null ? next() : free;
    return wire.isReady(node) ? node : null;
  }

  private Node next() {
    List<Node> brokers = wire.brokers();
    for (Node each : brokers) {
      Node node = of(each);
      if (wire.isConnected(node)) {
        return node;
      }
    }
    turn = (turn + 1) % brokers.size();
    return of(brokers.get(turn));
  }
}
