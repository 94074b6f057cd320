package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.outside.DeliveryOperator;
import dev.millrace.spi.ExternalSink;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Adds a sink to a topology: a topic, or, with a store for what is not delivered yet, something
/// outside the log.
final class Output {
  private static final String KIND = "deliver";

  private Output() {}

  /// Whether two serdes write the same bytes.
  static boolean sameFormat(Serde<?> one, Serde<?> other) {
    return one.id().equals(other.id()) && one.schema().equals(other.schema());
  }

  /// Adds a sink.
  ///
  /// @param keySerde of the keys that reach it; null if there are none
  static void add(
      TopologyBuilder topology, Node input, Sink<?, ?> sink, @Nullable Serde<?> keySerde) {
    Serde<?> written = sink.keySerde();
    if (written == null || givesKey(sink)) {
      addSink(topology, input, sink, null);
    } else if (keySerde == null) {
      throw new InvalidTopologyException(
          "Sink '%s' has keys, and the stream written to it has none. Have the sink take the key from the value, with key(…), or give the stream one with groupBy(name, key).stream(), or describe the sink without a key."
              .formatted(sink.stream()));
    } else {
      boolean sameBytes = sameFormat(keySerde, written);
      addSink(topology, input, sink, sameBytes ? null : Erased.serde(keySerde));
    }
  }

  /// Adds what sends each record to one of several sinks, and these after it in their order.
  ///
  /// @param keySerde of the keys that reach them; null if there are none
  static void add(
      TopologyBuilder topology,
      Node input,
      Mapper<?, String> route,
      List<? extends Sink<?, ?>> sinks,
      @Nullable Serde<?> keySerde) {
    List<String> topics = sinks.stream().map(Sink::stream).toList();
    if (topics.isEmpty() || new TreeSet<>(topics).size() < topics.size()) {
      throw new InvalidTopologyException(
          "to(route, sinks) takes one or more sinks, each with another topic; found %s."
              .formatted(topics));
    }
    Node routed = topology.add(id -> new Node.Route(id, input, Erased.mapper(route), topics));
    sinks.forEach(sink -> add(topology, routed, sink, keySerde));
  }

  /// Returns what a route chooses from where it is given one sink: each of several topics, or all
  /// of a pattern together.
  static List<? extends Sink<?, ?>> choices(Sink<?, ?> sink) {
    LogTopics<? extends Sink<?, ?>> topics = sink.topics();
    return topics == null || topics.choice().pattern() != null
        ? List.of(sink)
        : topics.choice().names().stream().map(topics::topic).toList();
  }

  /// Whether a sink takes the key from the value.
  private static boolean givesKey(Sink<?, ?> sink) {
    return sink.written().key() != null;
  }

  private static void requireSense(TopologyBuilder topology, Node input, Sink<?, ?> sink) {
    if (givesKey(sink) && !sink.retractions() && topology.correctsMillis(input) > 0) {
      throw new InvalidTopologyException(
          "Sink '%s' takes keys from values, and would be given results that are taken back when they are corrected: tasks that write the same key know nothing of each other, and one would delete what another has written. Give the stream that key with groupBy(name, key).stream(), write what is taken back, too, with withRetractions(), or put withoutRetractions() before the sink."
              .formatted(sink.stream()));
    }
    if (sink.written().timestamp() != null && sink.timestamps() == Timestamps.OF_WRITING) {
      throw new InvalidTopologyException(
          "Sink '%s' takes timestamps from values, and writes the time of writing instead. Leave out timestamp(…) or timestamps(Timestamps.OF_WRITING)."
              .formatted(sink.stream()));
    }
  }

  /// @param reads the keys where the sink writes them in another format; otherwise null
  private static void addSink(
      TopologyBuilder topology, Node input, Sink<?, ?> sink, @Nullable Serde<Object> reads) {
    if (sink.topics() != null && !(input instanceof Node.Route)) {
      throw new InvalidTopologyException(
          "to(sink) takes one topic, and was given '%s'. Say of each record which one it goes to: to(route, topics)."
              .formatted(sink.stream()));
    }
    Sink<Object, Object> erased = Erased.sink(sink);
    requireSense(topology, input, sink);
    if (sink.isExternal()) {
      topology.names().takeOperator(KIND, sink.stream());
      Declaration declared = DeliveryOperator.declare(ExternalSink.of(erased), reads != null);
      topology.takeStores("the sink '" + sink.stream() + "'", declared);
      // What is outside the log is not told what was taken back.
      Node told =
          topology.correctsMillis(input) == 0
              ? input
              : topology.add(id -> new Node.Additions(id, input));
      topology.add(id -> new Node.Stateful(id, sink.stream(), KIND, told, reads, declared));
    } else {
      topology.add(id -> new Node.Output(id, input, erased, reads));
    }
  }

  /// Whether results leave the application here.
  static boolean isOutput(Node node) {
    return node instanceof Node.Output
        || (node instanceof Node.Stateful stateful
            && (stateful.kind().equals(KIND) || RemoteWriting.isKind(stateful.kind())));
  }
}
