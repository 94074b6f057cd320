package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.WindowResult;
import dev.millrace.api.WindowedTable.Ranked;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.rows.WindowResultSerde;
import dev.millrace.internal.engine.operators.window.CorrectedTopKOperator;
import dev.millrace.internal.engine.operators.window.TopKOperator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Results by key and window, in a topology.
///
/// @param node emits a [WindowResult] under its key when the window closes
/// @param windows null if each key has its own
/// @param windowsText the windows in messages
/// @param operator it is the front of, in messages
/// @param values what is known of the results' values
/// @param valueType of them, as far as the functions show it
record WindowedResults<K, A>(
    TopologyBuilder topology,
    Node node,
    Serde<K> keySerde,
    @Nullable AlignedWindows windows,
    String windowsText,
    String operator,
    Typing values,
    ShownType valueType) {

  /// Says how the values are encoded from here on.
  WindowedResults<K, A> as(Serde<A> serde) {
    return with(node, operator, values.with(serde), valueType);
  }

  WindowedResults<K, A> filter(Predicate<? super A> predicate) {
    Predicate<Object> ofRow = new WindowedFunctions.OfValue(Erased.predicate(predicate));
    Node filter = topology.addKeyed(id -> new Node.Filter(id, node, ofRow));
    return with(filter, operator, values, valueType);
  }

  <R> WindowedResults<K, R> mapValues(Mapper<? super A, ? extends R> mapper) {
    ShownType shown = LambdaTypes.result(mapper);
    Mapper<Object, Object> ofRow = new WindowedFunctions.ToValue(Erased.mapper(mapper));
    Node map = topology.addKeyed(id -> new Node.Map(id, node, ofRow, true));
    return with(map, "mapValues", Typing.results("mapValues", shown), shown);
  }

  private <R> WindowedResults<K, R> with(
      Node next, String nextOperator, Typing nextValues, ShownType nextType) {
    return new WindowedResults<>(
        topology, next, keySerde, windows, windowsText, nextOperator, nextValues, nextType);
  }

  /// The results as records, in an encoding that has their windows.
  ///
  /// @param asker who needs it, and for what
  BuiltKeyedStream<K, WindowResult<K, A>> rows(String asker) {
    Serde<Object> valueSerde = values.valueSerde(topology.serdes(), asker, valueType);
    Serde<?> rows = new WindowResultSerde(Erased.serde(keySerde), valueSerde);
    return new BuiltKeyedStream<>(
        topology, node, keySerde, Typing.known(rows, "the results of " + operator));
  }

  <R> KeyedStream<K, R> results(Mapper<WindowResult<K, A>, ? extends R> mapper) {
    Typing results = Typing.results("results", LambdaTypes.result(mapper));
    return new BuiltKeyedStream<K, WindowResult<K, A>>(topology, node, keySerde, results)
        .mapValues(mapper, results);
  }

  <R> Stream<R> topK(String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper) {
    String operator = "topK '" + name + "'";
    return topK(name, k, mapper, Typing.results(operator, LambdaTypes.result(mapper)));
  }

  private <R> Stream<R> topK(
      String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper, Typing results) {
    Serde<Object> starts = Erased.serde(Serdes.keyForType(Long.class));
    Node ranked = ranked(name, k, ExchangeKey.own(TopKOperator::windowStart), starts, false);
    return new BuiltStream<Ranked<K, A>>(topology, ranked, results).map(mapper, results);
  }

  <G, R> KeyedStream<G, R> topK(
      String name,
      int k,
      Mapper<WindowResult<K, A>, ? extends G> group,
      Mapper<Ranked<K, A>, ? extends R> mapper) {
    String operator = "topK '" + name + "'";
    return topK(
        name,
        k,
        group,
        Typing.attributes("groups", group),
        mapper,
        Typing.results(operator, LambdaTypes.result(mapper)));
  }

  private <G, R> KeyedStream<G, R> topK(
      String name,
      int k,
      Mapper<WindowResult<K, A>, ? extends G> group,
      Typing groups,
      Mapper<Ranked<K, A>, ? extends R> mapper,
      Typing results) {
    Serde<Object> keys = groups.keySerde(topology.serdes(), "topK '" + name + "' ranks within");
    Node ranked = ranked(name, k, ExchangeKey.of("group", group), keys, true);
    return new BuiltKeyedStream<G, Ranked<K, A>>(topology, ranked, Erased.typed(keys), results)
        .mapValues(mapper, results);
  }

  /// Sends the results that are ranked together to one task, and ranks them there.
  ///
  /// @param by tells which those are
  /// @param grouped whether it is a group of each window that is ranked; else all of it is
  private Node ranked(String name, int k, ExchangeKey by, Serde<Object> serde, boolean grouped) {
    String called = "topK '" + name + "'";
    topology.names().takeOperator("topK", name);
    if (k < 1) {
      throw new InvalidTopologyException(
          "topK '%s' is asked for the %d largest; give at least 1.".formatted(name, k));
    }
    requireComparable(name);
    AlignedWindows shared = requireShared(name);
    Serde<Object> keys = Erased.serde(keySerde);
    Serde<Object> valueSerde = values.valueSerde(topology.serdes(), called + " sends", valueType);
    Serde<Object> sent = Erased.serde(new WindowResultSerde(keys, valueSerde));
    Node exchange = topology.addKeyed(id -> new Node.Exchange(id, name, node, by, serde, sent));
    @Nullable Serde<Object> groups = grouped ? serde : null;
    Declaration declared =
        topology.correctsMillis(node) > 0
            ? CorrectedTopKOperator.declare(name, k, shared, keys, valueSerde, groups)
            : TopKOperator.declare(name, k, shared, keys, valueSerde, groups);
    if (grouped) {
      return topology.addStateful(
          called, name, "top " + k + " of each", List.of(exchange), serde, declared);
    }
    topology.takeStores(called, declared);
    return topology.add(id -> new Node.Stateful(id, name, "top " + k, exchange, serde, declared));
  }

  private AlignedWindows requireShared(String name) {
    if (windows == null) {
      throw new InvalidTopologyException(
          "topK '%s' ranks what several keys have in one window, and here each key has windows of its own. Use tumbling, hopping or calendar windows."
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
          "topK '%s' ranks the results of %s, and these have no order: %s is not Comparable. Make it that, or have %s give something that is, such as a number."
              .formatted(name, operator, type.getName(), operator));
    }
  }
}
