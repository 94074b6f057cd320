package dev.millrace.engine.topology;

import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.engine.operators.Aggregation;
import org.jspecify.annotations.Nullable;

/// What an aggregation computes and how its result is kept, with windows or without.
///
/// @param name given by the application
/// @param kind `count`, `reduce` or `aggregate`
/// @param valueSerde of the result
/// @param valueType of the result, as far as the functions show it
record Computation(
    String name,
    String kind,
    Aggregation aggregation,
    Serde<Object> valueSerde,
    ShownType valueType) {

  static Computation count(String name) {
    return new Computation(
        name,
        "count",
        Aggregation.count(),
        Erased.serde(Serdes.forType(Long.class)),
        ShownType.known(Long.class));
  }

  static Computation reduce(String name, Reducer<?> reducer, Typing values) {
    ShownType seen = LambdaTypes.parameter(reducer, 0);
    return new Computation(
        name,
        "reduce",
        Aggregation.reduce(Erased.reducer(reducer)),
        values.valueSerde("reduce '" + name + "' keeps", seen),
        values.shown().isKnown() ? values.shown() : seen);
  }

  static Computation aggregate(
      String name, Initial<?> initial, Folder<?, ?> folder, @Nullable Serde<?> given) {
    String operator = "aggregate '" + name + "'";
    ShownType folded = LambdaTypes.parameter(folder, 0);
    Typing results = Typing.results(operator, LambdaTypes.result(initial));
    Typing typing = given == null ? results : results.with(given);
    return new Computation(
        name,
        "aggregate",
        Aggregation.fold(Erased.initial(initial), Erased.folder(folder)),
        typing.valueSerde(operator + " keeps", folded),
        folded.isKnown() ? folded : results.shown());
  }

  String operator() {
    return kind + " '" + name + "'";
  }
}
