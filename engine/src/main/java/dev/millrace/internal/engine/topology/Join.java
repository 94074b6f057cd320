package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
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

  /// Where it takes back what it emitted, it must be what it was then.
  Parameters parameters() {
    return Parameters.NONE
        .with("needs a left one", needsLeft)
        .with("needs a right one", needsRight);
  }

  /// The serde for the values of a side.
  Serde<Object> values(BuiltKeyedStream<?, ?> side, String does) {
    return side.typing().valueSerde(side.topology().serdes(), operator() + " " + does, UNSEEN);
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
  Typing results(Joiner<?, ?, ?> joiner) {
    return Typing.results(operator(), LambdaTypes.result(joiner));
  }

  /// What the exchanges of the two sides are called, if they need one.
  static List<String> sideNames(String name) {
    return List.of(name + "-left", name + "-right");
  }

  /// The two streams that are joined; their keys have one format.
  record Sides<K>(BuiltKeyedStream<K, ?> left, BuiltKeyedStream<K, ?> right) {}

  /// Takes the name, and brings both sides to one format of keys: that of the left one.
  <K> Sides<K> take(BuiltKeyedStream<K, ?> left, BuiltKeyedStream<K, ?> right) {
    takeNames(left, right);
    return new Sides<>(left, withKeysOf(left, right, 1));
  }

  /// The same with the format of the right side, a table that the left one looks up.
  <K> Sides<K> takeLookup(BuiltKeyedStream<K, ?> left, BuiltKeyedStream<K, ?> right) {
    takeNames(left, right);
    return new Sides<>(withKeysOf(right, left, 0), right);
  }

  private void takeNames(BuiltKeyedStream<?, ?> left, BuiltKeyedStream<?, ?> right) {
    Names names = left.topology().names();
    left.topology().requireOwn(right.topology(), operator());
    names.takeOperator(kind, name);
    sideNames(name).forEach(side -> names.takeOperator(kind, side));
  }

  private <K> BuiltKeyedStream<K, ?> withKeysOf(
      BuiltKeyedStream<K, ?> other, BuiltKeyedStream<K, ?> side, int number) {
    return withKeysOf(other, side, operator(), sideNames(name).get(number));
  }

  /// A side with keys as another one has them, through an exchange if they are not yet.
  static <K, V> BuiltKeyedStream<K, V> withKeysOf(
      BuiltKeyedStream<K, ?> other, BuiltKeyedStream<K, V> side, String operator, String exchange) {
    if (Output.sameFormat(side.keySerde(), other.keySerde())) {
      return side;
    }
    String sends = operator + " sends";
    Typing.requireCanonical(sends, other.keySerde(), "Give one that does.");
    String reason =
        "for its keys are of serde '%s', and those of the other side of serde '%s'"
            .formatted(side.keySerde().id(), other.keySerde().id());
    return side.through(
        exchange,
        other.keySerde(),
        side.typing().valueSerde(side.topology().serdes(), sends, UNSEEN),
        reason);
  }

  /// Adds the operator; the results have the keys of the sides.
  <K, R> BuiltKeyedStream<K, R> add(Sides<K> sides, Declaration declared, Typing results) {
    BuiltKeyedStream<K, ?> left = sides.left;
    BuiltKeyedStream<K, ?> right = sides.right;
    TopologyBuilder topology = left.topology();
    topology.takeStores(operator(), declared);
    Node join =
        topology.addKeyed(id ->
            new Node.Stateful(
                id,
                name,
                kind,
                List.of(left.node(), right.node()),
                Erased.serde(left.keySerde()),
                declared,
                List.of(
                    left.typing().serdeIfKnown(topology.serdes()),
                    right.typing().serdeIfKnown(topology.serdes()))));
    return new BuiltKeyedStream<>(topology, join, left.keySerde(), results);
  }

  /// For how long what comes in may be taken back.
  long correctsMillis(BuiltKeyedStream<?, ?> side) {
    long corrects = side.topology().correctsMillis(side.node());
    if (corrects >= Declaration.FOREVER) {
      throw new InvalidTopologyException(
          operator()
              + " is given the changes of a table, which may take a value back at any time. Give it"
              + " toStream() of the table, or join tables.");
    }
    return corrects;
  }
}
