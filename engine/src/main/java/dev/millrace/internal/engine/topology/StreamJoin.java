package dev.millrace.internal.engine.topology;

import dev.millrace.api.KeyedStream;
import dev.millrace.api.WindowResult;
import dev.millrace.api.Windows;
import dev.millrace.api.Within;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.join.IntervalJoinOperator;
import dev.millrace.internal.engine.operators.join.IntervalJoinOperator.Interval;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
import dev.millrace.internal.engine.operators.rows.Tagged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds a join of two streams to a topology.
record StreamJoin(Join join, Within within) {

  <K, W, R> KeyedStream<K, R> of(
      BuiltKeyedStream<K, ?> left, KeyedStream<K, W> other, Joiner<?, ?, ? extends R> joiner) {
    if (!(other instanceof BuiltKeyedStream<K, W> right)) {
      throw TopologyBuilder.foreign(join.operator());
    }
    return switch (within) {
      case Within.Interval interval ->
          near(interval, left, right, join.function(joiner), join.results(joiner));
      case Within.SameWindow window -> inWindow(window, left, right, joiner);
    };
  }

  private <K, R> BuiltKeyedStream<K, R> near(
      Within.Interval interval,
      BuiltKeyedStream<K, ?> left,
      BuiltKeyedStream<K, ?> right,
      JoinFunction function,
      Typing results) {
    Join.Sides<K> sides = join.take(left, right);
    long corrects = Math.max(join.correctsMillis(left), join.correctsMillis(right));
    Declaration declared =
        IntervalJoinOperator.declare(
            join.name(),
            new Interval(
                interval.before().toMillis(),
                interval.after().toMillis(),
                Math.max(interval.lateness().toMillis(), corrects),
                !join.needsRight(),
                !join.needsLeft()),
            corrects,
            Erased.serde(left.keySerde()),
            List.of(join.values(left, "keeps"), join.values(right, "keeps")),
            function);
    return join.add(sides, declared, results);
  }

  /// Joins records of equal times.
  ///
  /// @param results what is known of what the function returns
  static <K, R> BuiltKeyedStream<K, R> atOnce(
      Join join,
      BuiltKeyedStream<K, ?> left,
      BuiltKeyedStream<K, ?> right,
      JoinFunction function,
      Typing results) {
    Within.Interval atOnce = new Within.Interval(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    return new StreamJoin(join, atOnce).near(atOnce, left, right, function, results);
  }

  /// All pairs of a window are one result, which is taken apart behind it.
  private <K, W, R> KeyedStream<K, R> inWindow(
      Within.SameWindow window,
      BuiltKeyedStream<K, ?> left,
      BuiltKeyedStream<K, W> right,
      Joiner<?, ?, ? extends R> joiner) {
    Deferred<Node> pairs =
        left.topology().defer(given -> pairs(window.windows(), left, right, joiner, given));
    return new BuiltKeyedStream<>(left.topology(), pairs, left.keySerde(), join.results(joiner));
  }

  /// @param given the serde of the results; null if it is to be found
  private <K> Node pairs(
      Windows windows,
      BuiltKeyedStream<K, ?> left,
      BuiltKeyedStream<K, ?> right,
      Joiner<?, ?, ?> joiner,
      @Nullable Serde<Object> given) {
    TopologyBuilder topology = left.topology();
    join.correctsMillis(left);
    join.correctsMillis(right);
    JoinFunction function = join.function(joiner);
    Typing results = given == null ? join.results(joiner) : join.results(joiner).with(given);
    Typing lists =
        windows.timing().isEarly()
            ? Typing.known(
                Serdes.listOf(
                    results.valueSerde(
                        topology.serdes(), join.operator() + " keeps", results.shown())),
                "the results of " + join.operator())
            : Typing.results(join.operator(), ShownType.unknown("they are lists"));
    WindowedResults<K, List<Object>> all =
        new CoGrouping<K>(List.of(left, right))
            .apply(
                join.kind(),
                join.name(),
                Join.sideNames(join.name()),
                windows,
                (_, values) -> pairs(values, function),
                lists);
    Node each =
        topology.addKeyed(id ->
            new Node.Map(id, all.node(), result -> ((WindowResult<?, ?>) result).value(), true));
    return topology.addKeyed(id -> new Node.FlatMap(id, each, StreamJoin::elements, true));
  }

  private static Iterable<Object> elements(Object list) {
    return new ArrayList<Object>((List<?>) list);
  }

  private static List<Object> pairs(List<Object> values, JoinFunction function) {
    List<@Nullable Object> lefts = new ArrayList<>();
    List<@Nullable Object> rights = new ArrayList<>();
    for (Object value : values) {
      Tagged tagged = (Tagged) value;
      (tagged.side() == 0 ? lefts : rights).add(tagged.value());
    }
    if (lefts.isEmpty()) {
      lefts.add(null);
    }
    if (rights.isEmpty()) {
      rights.add(null);
    }
    List<Object> pairs = new ArrayList<>();
    for (Object left : lefts) {
      for (Object right : rights) {
        Object result = function.join(left, right);
        if (result != null) {
          pairs.add(result);
        }
      }
    }
    return pairs;
  }
}
