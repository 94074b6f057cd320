package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.wire.Lane;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.FetchSessionHandler;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.utils.LogContext;
import org.jspecify.annotations.Nullable;

/// Which brokers are asked for records at the moment, and which may be asked when.
///
/// There is one request to a broker at a time. A broker that has had records [rarely][Rareness] is
/// asked patiently: it waits long for records, so that a reader without records costs little. As a
/// broker answers the requests of a connection one after the other, such a request has a lane of
/// its own: neither what is to be read besides meanwhile nor metadata of topics waits behind it.
final class AskedBrokers {
  /// Who has just asked gets more records with an answer if it asks a moment later.
  static final Duration PACE = Duration.ofMillis(1);

  /// An answer of so many bytes is worth its request, and what follows it is fetched at once.
  private static final int MUCH = 64 << 10;

  private final Lane patient;
  private final Predicate<Node> isReady;
  private final LogContext context;

  /// The numbers of the nodes with a request under way.
  private final Set<Integer> asked = new HashSet<>();

  /// The splits that the requests under way ask for, and of which leader.
  private final Map<SplitPosition, Integer> underWay = new HashMap<>();

  /// By the numbers of brokers, whichever lane they answer in.
  private final Map<Integer, Rareness> rareness = new HashMap<>();

  private final Map<Integer, Long> askedNanos = new HashMap<>();

  /// When each broker is asked again at the earliest.
  private final Map<Integer, Long> nextNanos = new HashMap<>();

  private final Map<Integer, FetchSessionHandler> sessions = new HashMap<>();

  /// @param patient for requests that the brokers wait with
  /// @param isReady whether a request can be sent to a node; if not, it is connected to
  AskedBrokers(Lane patient, Predicate<Node> isReady, LogContext context) {
    this.patient = patient;
    this.isReady = isReady;
    this.context = context;
  }

  /// Returns which node to ask for a split, its leader or that in the lane for patient requests;
  /// null if it is asked for already, or nothing can be sent to its leader.
  @Nullable Node free(SplitPosition split, Node leader) {
    Integer of = underWay.get(split);
    if (of != null && of == leader.id()) {
      return null;
    }
    Rareness rarely = rareness.get(leader.id());
    if (rarely != null && rarely.isRare()) {
      Node node = patient.of(leader);
      if (!asked.contains(node.id()) && isReady.test(node)) {
        return node;
      }
    }
    return asked.contains(leader.id()) ? null : leader;
  }

  /// Returns whether it is too early to ask a broker again.
  boolean isEarly(Node node, long nowNanos) {
    Long next = nextNanos.get(node.id());
    return next != null && nowNanos - next < 0;
  }

  /// Returns whether a node is one that waits long for records.
  boolean isPatient(Node node) {
    return patient.has(node);
  }

  FetchSessionHandler session(Node node) {
    return sessions.computeIfAbsent(node.id(), id -> new FetchSessionHandler(context, id));
  }

  /// A request is about to be sent.
  ///
  /// @param leaders of the splits that it asks for
  void ask(Node node, Map<SplitPosition, Metadata.LeaderAndEpoch> leaders) {
    asked.add(node.id());
    leaders.forEach((split, of) -> underWay.put(split, of.leader.orElse(node).id()));
    long now = System.nanoTime();
    askedNanos.put(node.id(), now);
    nextNanos.put(node.id(), now + PACE.toNanos());
  }

  /// A request was answered, or failed.
  ///
  /// @param bytes of records in the answer
  void answered(Node node, Collection<SplitPosition> splits, long bytes) {
    asked.remove(node.id());
    underWay.keySet().removeAll(splits);
    long now = System.nanoTime();
    long waited = now - askedNanos.getOrDefault(node.id(), now);
    rareness.computeIfAbsent(patient.broker(node), _ -> new Rareness()).answered(bytes, waited);
    if (bytes >= MUCH) {
      nextNanos.remove(node.id());
    }
  }

  /// A split is read from another position: what is under way does not count for it.
  void forget(SplitPosition split) {
    underWay.remove(split);
  }

  /// Only these are read from now on.
  void retain(Collection<SplitPosition> splits) {
    underWay.keySet().retainAll(splits);
  }
}
