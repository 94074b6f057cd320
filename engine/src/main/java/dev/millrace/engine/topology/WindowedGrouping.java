package dev.millrace.engine.topology;

import dev.millrace.api.Windowed;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.FixedWindows;
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
    Node window =
        topology.addKeyed(id ->
            new Node.Stateful(
                id,
                computation.name(),
                computation.kind() + " in " + text(),
                grouping.node(),
                keySerde,
                declared.factory(),
                declared.stores()));
    return new WindowedResults<>(topology, window, grouping.keySerde(), fixed, computation);
  }

  private String text() {
    return switch (windows) {
      case Windows.Tumbling tumbling ->
          "tumbling windows of " + tumbling.size().toString().substring(2).toLowerCase(Locale.ROOT);
    };
  }
}
