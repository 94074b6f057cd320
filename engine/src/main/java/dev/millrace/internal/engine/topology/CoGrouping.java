package dev.millrace.internal.engine.topology;

import dev.millrace.api.CoGrouped;
import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.rows.Tagged;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The typed front of several streams whose records are brought together by key and window.
///
/// @param sides in the order in which their values are numbered
record CoGrouping<K>(List<BuiltKeyedStream<K, ?>> sides) implements CoGrouped<K> {
  private static final int MOST_SIDES = 100;
  private static final ShownType UNSEEN = ShownType.unknown("a list of them shows nothing");

  CoGrouping {
    sides = List.copyOf(sides);
  }

  @Override
  public CoGrouped<K> and(KeyedStream<K, ?> other) {
    if (!(other instanceof BuiltKeyedStream<K, ?> more)) {
      throw TopologyBuilder.foreign("coGroup");
    }
    List<BuiltKeyedStream<K, ?>> all = new ArrayList<>(sides);
    all.add(more);
    if (all.size() > MOST_SIDES) {
      throw new InvalidTopologyException(
          "A coGroup brings %d streams together at most.".formatted(MOST_SIDES));
    }
    return new CoGrouping<>(all);
  }

  @Override
  public <R> WindowedTable<K, R> apply(
      String name, Windows windows, SidesFunction<? extends R> function) {
    Typing results = Typing.results("apply '" + name + "'", LambdaTypes.result(function));
    return new BuiltWindowedTable<>(
        sides
            .getFirst()
            .topology()
            .defer(given ->
                apply(name, windows, function, given == null ? results : results.with(given))));
  }

  private <R> WindowedResults<K, R> apply(
      String name, Windows windows, SidesFunction<? extends R> function, Typing results) {
    return apply(
        "coGroup",
        name,
        IntStream.rangeClosed(1, sides.size()).mapToObj(side -> name + "-" + side).toList(),
        windows,
        (window, values) -> function.apply(window, parted(values)),
        results);
  }

  /// @param kind of the operator, in messages and in the plan
  /// @param exchanges what the exchange of each side is called, if it needs one
  /// @param function gets [Tagged] values
  <R> WindowedResults<K, R> apply(
      String kind,
      String name,
      List<String> exchanges,
      Windows windows,
      WindowFunction<Object, ? extends R> function,
      Typing results) {
    String operator = kind + " '" + name + "'";
    BuiltKeyedStream<K, ?> first = sides.getFirst();
    TopologyBuilder topology = first.topology();
    exchanges.forEach(exchange -> topology.names().takeOperator(kind, exchange));
    List<Serde<Object>> serdes = new ArrayList<>();
    List<Node> inputs = new ArrayList<>();
    for (BuiltKeyedStream<K, ?> side : sides) {
      int number = inputs.size();
      topology.requireOwn(side.topology(), operator);
      serdes.add(side.typing().valueSerde(topology.serdes(), operator + " keeps", UNSEEN));
      inputs.add(tagged(Join.withKeysOf(first, side, operator, exchanges.get(number)), number));
    }
    Serde<Object> tagged = new Tagged.Format(serdes);
    Meeting meeting =
        new Meeting(
            operator,
            exchanges,
            Erased.serde(first.keySerde()),
            Collections.nCopies(sides.size(), Optional.of(tagged)));
    Node merged = topology.addKeyed(id -> new Node.Merge(id, inputs, meeting));
    Typing together = Typing.known(tagged, "the records of " + operator);
    Grouping<K, Object> grouping =
        new Grouping<>(
            Deferred.none(new BuiltKeyedStream<>(topology, merged, first.keySerde(), together)));
    return new WindowedGrouping<>(grouping, ofTagged(windows), null)
        .apply(kind, name, function, results);
  }

  /// Windows whose size a value tells are told it by the value of any stream.
  private static Windows ofTagged(Windows windows) {
    if (!(windows instanceof Windows.Sized<?> sized)) {
      return windows;
    }
    Mapper<Object, Object> size = Erased.mapper(sized.size());
    return new Windows.Sized<>(new SizeOfTagged(size), sized.timing());
  }

  /// @param size gives it from a value of any stream
  private record SizeOfTagged(Mapper<Object, Object> size)
      implements Mapper<Tagged, Duration>, FunctionCode.Around {
    @Override
    public Duration map(Tagged tagged) {
      return (Duration) size.map(tagged.value());
    }

    @Override
    public Serializable function() {
      return size;
    }
  }

  /// The records of a stream, each tagged with its number.
  private static Node tagged(BuiltKeyedStream<?, ?> side, int number) {
    Node of = side.node();
    return side.topology()
        .addKeyed(id -> new Node.Map(id, of, value -> new Tagged(number, value), true));
  }

  /// The values of each stream.
  private Sides parted(List<Object> values) {
    List<List<Object>> bySide = new ArrayList<>();
    sides.forEach(_ -> bySide.add(new ArrayList<>()));
    for (Object value : values) {
      Tagged tagged = (Tagged) value;
      bySide.get(tagged.side()).add(tagged.value());
    }
    return new Parted(sides.stream().map(BuiltKeyedStream::node).toList(), bySide);
  }

  /// @param nodes of the streams
  private record Parted(List<Node> nodes, List<List<Object>> values) implements Sides {
    @Override
    @SuppressWarnings("unchecked") // a stream's values are of its type
    public <V> List<V> of(KeyedStream<?, V> stream) {
      if (stream instanceof BuiltKeyedStream<?, V> built) {
        for (int i = 0; i < nodes.size(); i++) {
          if (nodes.get(i).id() == built.node().id()) {
            return (List<V>) Collections.unmodifiableList(values.get(i));
          }
        }
      }
      throw new IllegalArgumentException(
          "The function of a coGroup asks for the values of a stream that is not part of it.");
    }
  }
}
