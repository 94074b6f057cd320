package dev.millrace.internal.engine.topology;

import dev.millrace.api.serde.Serde;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How the inputs of a node that brings records of one key together may be brought to other tasks.
///
/// @param operator in messages: `leftJoin 'paid'`
/// @param exchanges what the exchange of each input is called, if it needs one
/// @param keySerde of the keys of all inputs; null if they stay bytes
/// @param values of each input, as far as a serde is known for them
public record Meeting(
    String operator,
    List<String> exchanges,
    @Nullable Serde<Object> keySerde,
    List<Optional<Serde<Object>>> values) {

  public Meeting {
    exchanges = List.copyOf(exchanges);
    values = List.copyOf(values);
  }

  /// Whether an input has its exchange.
  public boolean isMoved(Node node, int input) {
    return node.inputs().get(input) instanceof Node.Exchange exchange
        && exchange.name().equals(exchanges.get(input));
  }
}
