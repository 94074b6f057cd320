package dev.millrace.internal.engine.topology;

import dev.millrace.api.Aggregate;
import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.Windowed;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.TooLate;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The typed front of grouped records that are split by event time.
///
/// @param late says what becomes of records that are too late; null for nothing more than that they
///   are counted
record WindowedGrouping<K, V>(
    Grouping<K, V> grouping, Windows windows, @Nullable Consumer<KeyedStream<K, V>> late)
    implements Windowed<K, V> {

  @Override
  public Windowed<K, V> tooLate(Consumer<KeyedStream<K, V>> then) {
    return new WindowedGrouping<>(grouping, windows, both(late, then));
  }

  private static <S> Consumer<S> both(@Nullable Consumer<S> first, Consumer<S> second) {
    if (first == null) {
      return second;
    }
    return stream -> {
      first.accept(stream);
      second.accept(stream);
    };
  }

  @Override
  public WindowedTable<K, Long> count(String name) {
    return table(given -> Computation.count(name, given));
  }

  @Override
  public WindowedTable<K, V> reduce(String name, Reducer<V> reducer) {
    return table(given -> Computation.reduce(serdes(), name, reducer, grouping.typing(), given));
  }

  @Override
  public <A> WindowedTable<K, A> aggregate(
      String name, Initializer<A> initializer, Aggregator<A, ? super V> aggregator) {
    return aggregate(name, Aggregate.of(initializer, aggregator));
  }

  @Override
  public <A> WindowedTable<K, A> aggregate(String name, Aggregate<A, V> aggregate) {
    return table(given -> Computation.aggregate(serdes(), name, aggregate, given));
  }

  private DefaultSerdes serdes() {
    return grouping.topology().serdes();
  }

  @Override
  public <R> WindowedTable<K, R> apply(String name, WindowFunction<V, ? extends R> function) {
    Typing results = Typing.results("apply '" + name + "'", LambdaTypes.result(function));
    return new BuiltWindowedTable<>(
        grouping
            .topology()
            .defer(given ->
                apply("apply", name, function, given == null ? results : results.with(given))));
  }

  /// @param kind of the operator, in messages and in the plan
  <R> WindowedResults<K, R> apply(
      String kind, String name, WindowFunction<V, ? extends R> function, Typing results) {
    TopologyBuilder topology = grouping.topology();
    String operator = kind + " '" + name + "'";
    topology.names().takeOperator(kind, name);
    WindowChoice choice = choice();
    Declaration declared =
        choice.ofAll(
            name,
            Erased.windowFunction(function),
            values(operator),
            () -> results.valueSerde(serdes(), operator + " keeps", results.shown()));
    Node window = addNode(name, kind, choice, declared);
    return new WindowedResults<>(
        topology,
        window,
        grouping.keySerde(),
        choice.aligned(),
        choice.text(),
        operator,
        results,
        results.shown());
  }

  private Node addNode(String name, String kind, WindowChoice choice, Declaration declared) {
    Node node =
        grouping
            .topology()
            .addStateful(
                kind + " '" + name + "'",
                name,
                kind + " in " + choice.text(),
                List.of(grouping.node()),
                grouping.keySerde(),
                late == null ? declared : declared.withLateRows());
    return late == null ? node : part(node, late);
  }

  /// Parts late rows from results.
  ///
  /// @return the results
  private Node part(Node window, Consumer<KeyedStream<K, V>> then) {
    TopologyBuilder topology = grouping.topology();
    Node additions = topology.addKeyed(id -> new Node.Additions(id, window));
    Node tooLate =
        topology.addKeyed(id -> new Node.Filter(id, additions, row -> row instanceof TooLate));
    Node values =
        topology.addKeyed(id -> new Node.Map(id, tooLate, row -> ((TooLate) row).value(), true));
    then.accept(new BuiltKeyedStream<>(topology, values, grouping.keySerde(), grouping.typing()));
    return topology.addKeyed(id -> new Node.Filter(id, window, row -> !(row instanceof TooLate)));
  }

  /// @param computation is given the serde of its results; null if it is to be found
  private <A> WindowedTable<K, A> table(
      Function<@Nullable Serde<Object>, Computation> computation) {
    return new BuiltWindowedTable<>(
        grouping.topology().defer(given -> results(computation.apply(given))));
  }

  private <A> WindowedResults<K, A> results(Computation computation) {
    TopologyBuilder topology = grouping.topology();
    topology.names().takeOperator(computation.kind(), computation.name());
    WindowChoice choice = choice();
    Declaration declared = choice.of(computation, () -> values(computation.operator()));
    Node window = addNode(computation.name(), computation.kind(), choice, declared);
    Typing results =
        Typing.known(computation.valueSerde(), "the results of " + computation.operator());
    return new WindowedResults<>(
        topology,
        window,
        grouping.keySerde(),
        choice.aligned(),
        choice.text(),
        computation.operator(),
        results,
        computation.valueType());
  }

  private WindowChoice choice() {
    long corrected = grouping.topology().correctsMillis(grouping.node());
    if (corrected >= Declaration.FOREVER) {
      throw new InvalidTopologyException(
          "A window is given the changes of a table, which may take a value back at any time, also"
              + " when the window is closed. Give it toStream() of the table: then each new value"
              + " is one more record.");
    }
    if (windows instanceof Windows.Counted || windows instanceof Windows.All) {
      grouping.topology().requireFinal(grouping.node(), "A window that ends at no time");
    }
    return new WindowChoice(windows, Erased.serde(grouping.keySerde()), corrected);
  }

  /// The serde of the rows, for windows that keep all of them.
  private Serde<Object> values(String operator) {
    return grouping
        .typing()
        .valueSerde(
            serdes(), operator + " keeps", ShownType.unknown("a list of them shows nothing"));
  }
}
