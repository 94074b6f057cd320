package dev.millrace.internal.engine.topology;

import dev.millrace.api.Call;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.outside.CallOperator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Adds calls to another system to a topology.
///
/// @param typing of the stream's values
/// @param keySerde of its keys; null if it has none
record Calling(
    TopologyBuilder topology, Node input, Typing typing, @Nullable Serde<Object> keySerde) {

  Node add(String name, Call<?, ?> call) {
    String operator = "call '" + name + "'";
    topology.names().takeOperator("call", name);
    topology.requireFinal(input, operator);
    Serde<Object> values = typing.valueSerde(topology.serdes(), operator + " keeps", asked(call));
    Declaration declared = CallOperator.declare(operator, name, Erased.call(call), values);
    topology.takeStores(operator, declared);
    return keySerde == null
        ? topology.add(id -> node(id, name, declared))
        : topology.addKeyed(id -> node(id, name, declared));
  }

  private Node node(int id, String name, Declaration declared) {
    return new Node.Stateful(id, name, "call", List.of(input), keySerde, declared);
  }

  static Typing results(String name, Call<?, ?> call) {
    return Typing.results("call '" + name + "'", answered(call));
  }

  private static ShownType asked(Call<?, ?> call) {
    return switch (call.way()) {
      case Call.Blocking<?, ?> blocking -> LambdaTypes.parameter(blocking.caller(), 0);
      case Call.Future<?, ?> future -> LambdaTypes.parameter(future.caller(), 0);
      case Call.Batched<?, ?> _ -> ShownType.unknown("a batch shows nothing of what is in it");
    };
  }

  private static ShownType answered(Call<?, ?> call) {
    return switch (call.way()) {
      case Call.Blocking<?, ?> blocking -> LambdaTypes.result(blocking.caller());
      case Call.Future<?, ?> future ->
          LambdaTypes.resultArgument(future.caller(), CompletionStage.class);
      case Call.Batched<?, ?> batched -> LambdaTypes.resultElement(batched.caller());
    };
  }
}
