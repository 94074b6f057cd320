package dev.millrace.engine.topology;

import dev.millrace.api.WindowFunction;
import dev.millrace.api.Windowed;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.FixedWindows;
import dev.millrace.engine.operators.RetainOperator;
import dev.millrace.engine.operators.WindowOperator;
import java.util.Locale;

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
    topology.names().takeStore(name, operator);
    topology.names().takeStore(RetainOperator.chunkStore(name), operator);
    Serde<Object> keySerde = Erased.serde(grouping.keySerde());
    FixedWindows fixed = FixedWindows.of(windows);
    ShownType unseen = ShownType.unknown("a list of them shows nothing");
    Declaration declared =
        RetainOperator.declare(
            name,
            fixed,
            Erased.windowFunction(function),
            keySerde,
            grouping.typing().valueSerde(operator + " keeps", unseen));
    Node window = addNode(name, "collect", declared);
    return new WindowedResults<>(
        topology, window, grouping.keySerde(), fixed, operator, results, results.shown());
  }

  private Node addNode(String name, String kind, Declaration declared) {
    return grouping
        .topology()
        .addKeyed(id ->
            new Node.Stateful(
                id,
                name,
                kind + " in " + text(),
                grouping.node(),
                Erased.serde(grouping.keySerde()),
                declared.factory(),
                declared.stores()));
  }

  private <A> WindowedTable<K, A> table(Computation computation) {
    TopologyBuilder topology = grouping.topology();
    Serde<Object> keySerde = Erased.serde(grouping.keySerde());
    topology.names().takeOperator(computation.kind(), computation.name());
    topology.names().takeStore(computation.name(), computation.operator());
    FixedWindows fixed = FixedWindows.of(windows);
    Declaration declared =
        WindowOperator.declare(
            computation.name(),
            fixed,
            computation.aggregation(),
            keySerde,
            computation.valueSerde());
    Node window = addNode(computation.name(), computation.kind(), declared);
    Typing results =
        Typing.known(computation.valueSerde(), "the results of " + computation.operator());
    return new WindowedResults<>(
        topology,
        window,
        grouping.keySerde(),
        fixed,
        computation.operator(),
        results,
        computation.valueType());
  }

  private String text() {
    return switch (windows) {
      case Windows.Tumbling tumbling ->
          "tumbling windows of " + tumbling.size().toString().substring(2).toLowerCase(Locale.ROOT);
    };
  }
}
