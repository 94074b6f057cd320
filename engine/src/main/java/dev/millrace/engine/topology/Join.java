package dev.millrace.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.JoinFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A join while it is added to a topology.
///
/// @param kind in messages: `leftJoin`
/// @param name given by the application
/// @param needsLeft whether there is no result without a value on the left
/// @param needsRight the same on the right
record Join(String kind, String name, boolean needsLeft, boolean needsRight) {
  private static final ShownType UNSEEN = ShownType.unknown("a join shows nothing of its sides");

  static Join inner(String kind, String name) {
    return new Join(kind, name, true, true);
  }

  static Join left(String kind, String name) {
    return new Join(kind, name, true, false);
  }

  static Join outer(String name) {
    return new Join("outerJoin", name, false, false);
  }

  /// In messages.
  String operator() {
    return kind + " '" + name + "'";
  }

  /// The serde for the values of a side.
  Serde<Object> values(BuiltKeyedStream<?, ?> side, String does) {
    return side.typing().valueSerde(operator() + " " + does, UNSEEN);
  }

  /// What the application's function makes of values that may be missing.
  JoinFunction function(Joiner<?, ?, ?> joiner) {
    Joiner<@Nullable Object, @Nullable Object, Object> erased = Erased.joiner(joiner);
    return (left, right) -> {
      boolean none =
          (left == null && right == null)
              || (needsLeft && left == null)
              || (needsRight && right == null);
      return none ? null : erased.join(left, right);
    };
  }

  /// What is known of the results.
  <R> Typing results(Joiner<?, ?, ? extends R> joiner, @Nullable Serde<R> given) {
    Typing results = Typing.results(operator(), LambdaTypes.result(joiner));
    return given == null ? results : results.with(given);
  }

  /// Checks that the sides can be joined by key, and takes the name.
  void take(BuiltKeyedStream<?, ?> left, BuiltKeyedStream<?, ?> right) {
    requireEqualKeys(operator(), left, right);
    left.topology().names().takeOperator(kind, name);
  }

  /// Checks that values of one key meet.
  static void requireEqualKeys(
      String operator, BuiltKeyedStream<?, ?> left, BuiltKeyedStream<?, ?> right) {
    left.topology().requireOwn(right.topology(), operator);
    if (!BuiltKeyedStream.sameFormat(left.keySerde(), right.keySerde())) {
      throw new InvalidTopologyException(
          "%s was given sides whose keys have different bytes: serde '%s' and serde '%s'. Values of one key would not meet; bring one side to the other's keys with groupBy(name, key, serde)."
              .formatted(operator, left.keySerde().id(), right.keySerde().id()));
    }
  }

  /// Adds the operator; the results have the keys of the sides.
  <K, R> BuiltKeyedStream<K, R> add(
      BuiltKeyedStream<K, ?> left,
      BuiltKeyedStream<K, ?> right,
      Declaration declared,
      Typing results) {
    Node join =
        left.topology()
            .addStateful(
                operator(),
                name,
                kind,
                List.of(left.node(), right.node()),
                left.keySerde(),
                declared);
    return new BuiltKeyedStream<>(left.topology(), join, left.keySerde(), results);
  }

  /// For how long what comes in may be taken back.
  long correctsMillis(BuiltKeyedStream<?, ?> side) {
    long corrects = side.topology().correctsMillis(side.node());
    if (corrects >= Declaration.FOREVER) {
      throw new InvalidTopologyException(
          operator()
              + " is given the changes of a table, which may take a value back at any time. Give it"
              + " updates() of the table, or join tables.");
    }
    return corrects;
  }
}
