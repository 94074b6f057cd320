package dev.millrace.internal.engine.topology;

import dev.millrace.api.Aggregate;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Parameters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an aggregation computes and how its result is kept, with windows or without.
///
/// @param name given by the application
/// @param kind `count`, `reduce`, `latest` or `aggregate`
/// @param ofAll computes the same of all values at once, in their order
/// @param valueSerde of the result
/// @param valueType of the result, as far as the functions show it
record Computation(
    String name,
    String kind,
    Aggregation aggregation,
    WindowFunction<Object, Object> ofAll,
    Serde<Object> valueSerde,
    ShownType valueType) {
  private static final String LATEST = "latest";

  /// @param given the serde of the results; null if it is to be found. The same in the others
  static Computation count(String name, @Nullable Serde<Object> given) {
    return new Computation(
        name,
        "count",
        Aggregation.count(),
        (_, all) -> (long) all.size(),
        given == null ? Erased.serde(Serdes.longs()) : given,
        ShownType.known(Long.class));
  }

  static Computation reduce(
      DefaultSerdes serdes,
      String name,
      Reducer<?> reducer,
      Typing values,
      @Nullable Serde<Object> given) {
    ShownType seen = LambdaTypes.parameter(reducer, 0);
    return new Computation(
        name,
        "reduce",
        Aggregation.reduce(Erased.reducer(reducer)),
        (_, all) -> reduceAll(Erased.reducer(reducer), all),
        given == null ? values.valueSerde(serdes, "reduce '" + name + "' keeps", seen) : given,
        values.shown().isKnown() ? values.shown() : seen);
  }

  static Computation aggregate(
      DefaultSerdes serdes, String name, Aggregate<?, ?> aggregate, @Nullable Serde<Object> given) {
    String operator = "aggregate '" + name + "'";
    Initializer<Object> initializer = Erased.initializer(aggregate.initializer());
    Aggregator<Object, Object> aggregator = Erased.aggregator(aggregate.aggregator());
    ShownType folded = LambdaTypes.parameter(aggregate.aggregator(), 0);
    Typing results = Typing.results(operator, LambdaTypes.result(aggregate.initializer()));
    return new Computation(
        name,
        "aggregate",
        aggregation(aggregate),
        (_, all) -> foldAll(initializer, aggregator, all),
        given == null ? results.valueSerde(serdes, operator + " keeps", folded) : given,
        folded.isKnown() ? folded : results.shown());
  }

  private static Aggregation aggregation(Aggregate<?, ?> aggregate) {
    Reducer<?> merger = aggregate.merger();
    Aggregator<?, ?> inverse = aggregate.inverse();
    return new Aggregation.Fold(
        Erased.initializer(aggregate.initializer()),
        Erased.aggregator(aggregate.aggregator()),
        merger == null ? null : Erased.reducer(merger),
        inverse == null ? null : Erased.aggregator(inverse));
  }

  static Computation latest(
      DefaultSerdes serdes, String name, Typing values, @Nullable Serde<Object> given) {
    return new Computation(
        name,
        LATEST,
        Aggregation.reduce((_, value) -> value),
        (_, all) -> all.getLast(),
        given == null
            ? values.valueSerde(
                serdes,
                LATEST + " '" + name + "' keeps",
                ShownType.unknown("nothing else shows them"))
            : given,
        values.shown());
  }

  /// Whether of all values only the latest counts.
  boolean isLatest() {
    return kind.equals(LATEST);
  }

  private static Object reduceAll(Reducer<Object> reducer, List<Object> values) {
    Object result = values.getFirst();
    for (Object value : values.subList(1, values.size())) {
      result = reducer.reduce(result, value);
    }
    return result;
  }

  private static Object foldAll(
      Initializer<Object> initializer, Aggregator<Object, Object> aggregator, List<Object> values) {
    Object result = initializer.get();
    for (Object value : values) {
      result = aggregator.aggregate(result, value);
    }
    return result;
  }

  /// Of another kind, what is kept means something else.
  Parameters parameters() {
    return Parameters.NONE.with("computes", kind);
  }

  String operator() {
    return kind + " '" + name + "'";
  }
}
