package dev.millrace.internal.engine.chain;

import dev.millrace.api.connector.TopicChoice;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Sends each row to the sink whose topic its value is routed to. A topic of a pattern gets its
/// sink when the first row comes for it.
final class RouteStep extends Step {
  private final Mapper<Object, Object> route;
  private final List<String> topics;

  /// By topic.
  private final Map<Object, Part> parts = new HashMap<>();

  private final List<Others> others = new ArrayList<>();

  /// Those that get some of the rows at work.
  private final List<Part> used = new ArrayList<>();

  /// How many of the topics have got their sinks.
  private int given;

  private int sinks;

  /// Counts what was processed.
  private long slice;

  /// The sinks of a pattern.
  ///
  /// @param made makes that of a topic, or throws a [SerdeException] that says why there is none
  private record Others(TopicChoice choice, Function<String, Step> made) {}

  /// What goes to one sink.
  private static final class Part {
    /// Which of the steps behind.
    private final int place;

    private final Rows rows = new Rows();
    private long slice;

    private Part(int place) {
      this.place = place;
    }
  }

  RouteStep(String name, Place place, Node.Route node) {
    super(name, place);
    route = node.route();
    topics = node.topics();
  }

  /// Adds the next of the sinks, which are given in the order of the topics.
  void next(Step step) {
    add(topics.get(given++), step);
  }

  /// The next of the topics is a pattern, and has any number of sinks.
  void others(TopicChoice choice, Function<String, Step> made) {
    given++;
    others.add(new Others(choice, made));
  }

  private Part add(String topic, Step step) {
    then(step);
    Part part = new Part(sinks++);
    parts.put(topic, part);
    return part;
  }

  @Override
  void apply(Rows rows) {
    Object[] values = rows.values();
    slice++;
    used.clear();
    for (int row = 0, size = rows.size(); row < size; row++) {
      rows.current = row;
      Object topic = route.map(Rows.given(values[row]));
      Part part = parts.get(topic);
      if (part == null) {
        part = met(topic);
      }
      if (part.slice != slice) {
        part.slice = slice;
        part.rows.startSelected(rows);
        used.add(part);
      }
      part.rows.addSelected(rows, row, values[row]);
    }
    for (int i = 0, count = used.size(); i < count; i++) {
      Part part = used.get(i);
      forwardTo(part.place, part.rows);
    }
  }

  private Part met(@Nullable Object topic) {
    for (Others each : others) {
      if (topic instanceof String name && each.choice.has(name)) {
        return add(name, each.made.apply(name));
      }
    }
    throw new SerdeException(
        "The record is routed to topic '%s', which is not one of the sinks of to(route, sinks): %s."
            .formatted(topic, String.join(", ", topics)));
  }
}
