package dev.millrace.engine.topology;

import dev.millrace.api.Sink;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.DeliveryOperator;
import dev.millrace.spi.ExternalSink;
import org.jspecify.annotations.Nullable;

/// Adds a sink to a topology: a topic, or, with a store for what is not delivered yet, something
/// outside the log.
final class Output {
  private static final String KIND = "deliver";

  private Output() {}

  /// @param reads the keys where the sink writes them in another format; otherwise null
  static void add(
      TopologyBuilder topology, Node input, Sink<?> sink, @Nullable Serde<Object> reads) {
    Sink<Object> erased = Erased.sink(sink);
    if (erased instanceof ExternalSink<Object> external) {
      topology.names().takeOperator(KIND, sink.stream());
      Declaration declared = DeliveryOperator.declare(external, reads != null);
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
