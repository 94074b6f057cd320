package dev.millrace.engine.chain;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.engine.topology.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Sends each row to the sink whose topic its value is routed to.
final class RouteStep extends Step {
  private final Mapper<Object, Object> route;
  private final List<String> topics;

  /// By topic, which of the steps behind this one.
  private final Map<Object, Integer> places = new HashMap<>();

  /// What goes to each.
  private final List<Rows> parts;

  RouteStep(String name, Place place, Node.Route node) {
    super(name, place);
    route = node.route();
    topics = node.topics();
    for (String topic : topics) {
      places.put(topic, places.size());
    }
    parts = Stream.generate(Rows::new).limit(topics.size()).toList();
  }

  @Override
  void apply(Rows rows) {
    Object[] values = rows.values();
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).startSelected(rows);
    }
    for (int row = 0, size = rows.size(); row < size; row++) {
      rows.current = row;
      Object topic = route.map(Rows.given(values[row]));
      Integer place = places.get(topic);
      if (place == null) {
        throw new SerdeException(
            "The record is routed to topic '%s', which is none of the sinks given to to(route, sinks): %s."
                .formatted(topic, String.join(", ", topics)));
      }
      parts.get(place).addSelected(rows, row, values[row]);
    }
    for (int i = 0; i < parts.size(); i++) {
      forwardTo(i, parts.get(i));
    }
  }
}
