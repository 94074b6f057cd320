package dev.millrace.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Ranked;
import dev.millrace.api.Stream;
import dev.millrace.api.WindowResult;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.engine.operators.AlignedWindows;
import dev.millrace.engine.operators.CorrectedTopKOperator;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.TopKOperator;
import dev.millrace.engine.operators.WindowResultSerde;
import org.jspecify.annotations.Nullable;

/// The typed front of results by key and window.
///
/// @param node emits a [WindowResult] under its key when the window closes
/// @param windows null if each key has its own
/// @param operator it is the front of, in messages
/// @param values what is known of the results' values
/// @param valueType of them, as far as the functions show it
record WindowedResults<K, A>(
    TopologyBuilder topology,
    Node node,
    Serde<K> keySerde,
    @Nullable AlignedWindows windows,
    String operator,
    Typing values,
    ShownType valueType)
    implements WindowedTable<K, A> {

  @Override
  public <R> KeyedStream<K, R> results(Mapper<WindowResult<K, A>, ? extends R> mapper) {
    return results(mapper, Typing.results("results", LambdaTypes.result(mapper)));
  }

  @Override
  public <R> KeyedStream<K, R> results(
      Mapper<WindowResult<K, A>, ? extends R> mapper, Serde<R> serde) {
    return results(mapper, Typing.known(serde, "the results of results"));
  }

  private <R> KeyedStream<K, R> results(
      Mapper<WindowResult<K, A>, ? extends R> mapper, Typing results) {
    return new BuiltKeyedStream<K, WindowResult<K, A>>(topology, node, keySerde, results)
        .mapValues(mapper, results);
  }

  @Override
  public <R> Stream<R> topK(String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper) {
    String operator = "topK '" + name + "'";
    return topK(name, k, mapper, Typing.results(operator, LambdaTypes.result(mapper)));
  }

  @Override
  public <R> Stream<R> topK(
      String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper, Serde<R> serde) {
    return topK(name, k, mapper, Typing.known(serde, "the results of topK '" + name + "'"));
  }

  /// Sends the results of each window to one task and ranks them there.
  private <R> Stream<R> topK(
      String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper, Typing results) {
    topology.names().takeOperator("topK", name);
    if (k < 1) {
      throw new InvalidTopologyException(
          "topK '%s' is asked for the %d largest; give at least 1.".formatted(name, k));
    }
    requireComparable(name);
    AlignedWindows shared = requireShared(name);
    Serde<Object> keys = Erased.serde(keySerde);
    Serde<Object> valueSerde = values.valueSerde("topK '" + name + "' sends", valueType);
    Serde<Object> starts = Erased.serde(Serdes.keyForType(Long.class));
    Node exchange =
        topology.addKeyed(id ->
            new Node.Exchange(
                id,
                name,
                node,
                TopKOperator::windowStart,
                starts,
                Erased.serde(new WindowResultSerde(keys, valueSerde))));
    Declaration declared =
        topology.correctsMillis(node) > 0
            ? CorrectedTopKOperator.declare(name, k, shared, keys, valueSerde)
            : TopKOperator.declare(name, k, shared, keys, valueSerde);
    topology.takeStores("topK '" + name + "'", declared);
    Node topK =
        topology.add(id -> new Node.Stateful(id, name, "top " + k, exchange, starts, declared));
    return BuiltStream.map(topology, topK, mapper, results);
  }

  private AlignedWindows requireShared(String name) {
    if (windows == null) {
      throw new InvalidTopologyException(
          "topK '%s' ranks what several keys have in one window, and here each key has windows of its own."
              .formatted(name));
    }
    return windows;
  }

  /// Refuses values that are known not to have an order; the others show at their first comparison.
  private void requireComparable(String name) {
    if (valueType.type() instanceof Class<?> type
        && !Comparable.class.isAssignableFrom(type)
        && !type.isInterface()
        && type != Object.class) {
      throw new InvalidTopologyException(
          "topK '%s' ranks the results of %s, and these have no order: %s is not Comparable."
              .formatted(name, operator, type.getName()));
    }
  }
}
