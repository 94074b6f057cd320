package dev.millrace.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.Windowed;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Declaration;
import java.util.List;

/// The typed front of grouped records that are split by event time.
record WindowedGrouping<K, V>(Grouping<K, V> grouping, Windows windows) implements Windowed<K, V> {

  @Override
  public WindowedTable<K, Long> count(String name) {
    return table(Computation.count(name));
  }

  @Override
  public WindowedTable<K, V> reduce(String name, Reducer<V> reducer) {
    return table(Computation.reduce(name, reducer, grouping.typing()));
  }

  @Override
  public <A> WindowedTable<K, A> aggregate(
      String name, Initial<A> initial, Folder<A, ? super V> folder) {
    return table(Computation.aggregate(name, initial, folder, null));
  }

  @Override
  public <A> WindowedTable<K, A> aggregate(
      String name, Initial<A> initial, Folder<A, ? super V> folder, Serde<A> serde) {
    return table(Computation.aggregate(name, initial, folder, serde));
  }

  @Override
  public <R> WindowedTable<K, R> collect(String name, WindowFunction<V, ? extends R> function) {
    return collect(name, function, Typing.results(operator(name), LambdaTypes.result(function)));
  }

  @Override
  public <R> WindowedTable<K, R> collect(
      String name, WindowFunction<V, ? extends R> function, Serde<R> serde) {
    return collect(name, function, Typing.known(serde, "the results of " + operator(name)));
  }

  private static String operator(String name) {
    return "collect '" + name + "'";
  }

  private <R> WindowedTable<K, R> collect(
      String name, WindowFunction<V, ? extends R> function, Typing results) {
    TopologyBuilder topology = grouping.topology();
    String operator = operator(name);
    topology.names().takeOperator("collect", name);
    WindowChoice choice = choice();
    Declaration declared =
        choice.ofAll(
            name,
            Erased.windowFunction(function),
            values(operator),
            () -> results.valueSerde(operator + " keeps", results.shown()));
    Node window = addNode(name, "collect", choice, declared);
    return new WindowedResults<>(
        topology,
        window,
        grouping.keySerde(),
        choice.aligned(),
        operator,
        results,
        results.shown());
  }

  private Node addNode(String name, String kind, WindowChoice choice, Declaration declared) {
    return grouping
        .topology()
        .addStateful(
            kind + " '" + name + "'",
            name,
            kind + " in " + choice.text(),
            List.of(grouping.node()),
            grouping.keySerde(),
            declared);
  }

  private <A> WindowedTable<K, A> table(Computation computation) {
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
        computation.operator(),
        results,
        computation.valueType());
  }

  private WindowChoice choice() {
    long corrected = grouping.topology().correctsMillis(grouping.node());
    if (corrected >= Declaration.FOREVER) {
      throw new InvalidTopologyException(
          "A window is given the changes of a table, which may take a value back at any time, also"
              + " when the window is closed. Give it updates() of the table: then each new value is"
              + " one more record.");
    }
    return new WindowChoice(windows, Erased.serde(grouping.keySerde()), corrected);
  }

  /// The serde of the rows, for windows that keep all of them.
  private Serde<Object> values(String operator) {
    return grouping
        .typing()
        .valueSerde(operator + " keeps", ShownType.unknown("a list of them shows nothing"));
  }
}
