package dev.millrace.internal.engine.topology;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.outside.ProcessorOperator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds a user's processor to a topology.
///
/// @param keySerde of the keys that reach it; null if they stay bytes
record Processing(TopologyBuilder topology, Node input, @Nullable Serde<Object> keySerde) {

  Node add(String name, Initializer<?> processors, StoreSpec<?, ?>... stores) {
    topology.names().takeOperator("process", name);
    topology.requireFinal(input, "process '" + name + "'");
    if (keySerde != null) {
      Typing.requireCanonical(
          "process '" + name + "' is given",
          keySerde,
          "Use groupBy(name, key).keyAs(serde) with one that does.");
    }
    for (StoreSpec<?, ?> store : stores) {
      Names.check("A store of process '" + name + "'", store.name());
    }
    Declaration declared =
        ProcessorOperator.declare(name, Erased.processors(processors), keySerde, List.of(stores));
    for (StoreSpec<?, ?> store : declared.stores()) {
      boolean given = List.of(stores).contains(store);
      topology
          .names()
          .takeStore(store.name(), (given ? "" : "the timers of ") + "process '" + name + "'");
    }
    return keySerde == null
        ? topology.add(id -> node(id, name, declared))
        : topology.addKeyed(id -> node(id, name, declared));
  }

  private Node node(int id, String name, Declaration declared) {
    return new Node.Stateful(id, name, "process", input, keySerde, declared);
  }

  static Typing results(String name, Initializer<?> processors) {
    String operator = "process '" + name + "'";
    return Typing.results(operator, LambdaTypes.processorResult(processors));
  }
}
