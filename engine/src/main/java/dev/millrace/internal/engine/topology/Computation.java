package dev.millrace.internal.engine.topology;

import dev.millrace.api.Aggregate;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
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

  static Computation count(String name) {
    return new Computation(
        name,
        "count",
        Aggregation.count(),
        (_, all) -> (long) all.size(),
        Erased.serde(Serdes.forType(Long.class)),
        ShownType.known(Long.class));
  }

  static Computation reduce(String name, Reducer<?> reducer, Typing values) {
    ShownType seen = LambdaTypes.parameter(reducer, 0);
    return new Computation(
        name,
        "reduce",
        Aggregation.reduce(Erased.reducer(reducer)),
        (_, all) -> reduceAll(Erased.reducer(reducer), all),
        values.valueSerde("reduce '" + name + "' keeps", seen),
        values.shown().isKnown() ? values.shown() : seen);
  }

  static Computation aggregate(String name, Aggregate<?, ?> aggregate, @Nullable Serde<?> given) {
    String operator = "aggregate '" + name + "'";
    Initial<Object> initial = Erased.initial(aggregate.initial());
    Folder<Object, Object> folder = Erased.folder(aggregate.folder());
    ShownType folded = LambdaTypes.parameter(aggregate.folder(), 0);
    Typing results = Typing.results(operator, LambdaTypes.result(aggregate.initial()));
    Typing typing = given == null ? results : results.with(given);
    return new Computation(
        name,
        "aggregate",
        aggregation(aggregate),
        (_, all) -> foldAll(initial, folder, all),
        typing.valueSerde(operator + " keeps", folded),
        folded.isKnown() ? folded : results.shown());
  }

  private static Aggregation aggregation(Aggregate<?, ?> aggregate) {
    Reducer<?> merger = aggregate.merger();
    Folder<?, ?> inverse = aggregate.inverse();
    return new Aggregation.Fold(
        Erased.initial(aggregate.initial()),
        Erased.folder(aggregate.folder()),
        merger == null ? null : Erased.reducer(merger),
        inverse == null ? null : Erased.folder(inverse));
  }

  static Computation latest(String name, Typing values) {
    return new Computation(
        name,
        LATEST,
        Aggregation.reduce((_, value) -> value),
        (_, all) -> all.getLast(),
        values.valueSerde(
            LATEST + " '" + name + "' keeps", ShownType.unknown("nothing else shows them")),
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
      Initial<Object> initial, Folder<Object, Object> folder, List<Object> values) {
    Object result = initial.get();
    for (Object value : values) {
      result = folder.fold(result, value);
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
