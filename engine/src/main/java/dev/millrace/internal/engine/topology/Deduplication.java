package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.table.DeduplicateOperator;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets the first record of a key within a time through.
record Deduplication(String name, Duration within) {

  /// @param attribute of a value, beside the key; null if the key alone counts
  <K, V> KeyedStream<K, V> of(Grouping<K, V> grouping, @Nullable Mapper<?, ?> attribute) {
    TopologyBuilder topology = grouping.topology();
    String operator = "deduplicate '" + name + "'";
    topology.names().takeOperator("deduplicate", name);
    requireTime(operator);
    topology.requireFinal(grouping.node(), operator);
    Serde<Object> values =
        grouping
            .typing()
            .valueSerde(
                topology.serdes(),
                operator + " keeps",
                attribute == null
                    ? ShownType.unknown("nothing else shows them")
                    : LambdaTypes.parameter(attribute, 0));
    Declaration declared =
        DeduplicateOperator.declare(
            name,
            within.toMillis(),
            Erased.serde(grouping.keySerde()),
            values,
            attribute == null ? null : Erased.mapper(attribute),
            attribute == null
                ? null
                : Typing.attributes("attributes", attribute)
                    .keySerde(topology.serdes(), operator + " compares"));
    Declaration told =
        attribute == null
            ? declared
            : declared.with(Parameters.NONE.withCode("attribute", FunctionCode.of(attribute)));
    Node node =
        topology.addStateful(
            operator, name, "deduplicate", List.of(grouping.node()), grouping.keySerde(), told);
    return new BuiltKeyedStream<>(
        topology, node, grouping.keySerde(), grouping.typing().with(values));
  }

  private void requireTime(String operator) {
    if (within.compareTo(Duration.ofMillis(1)) < 0
        || within.compareTo(Duration.ofMillis(DeduplicateOperator.LONGEST_MILLIS)) > 0
        || !within.equals(Duration.ofMillis(within.toMillis()))) {
      throw new InvalidTopologyException(
          "%s looks back for a positive number of whole milliseconds, of at most %s; found %s."
              .formatted(operator, Duration.ofMillis(DeduplicateOperator.LONGEST_MILLIS), within));
    }
  }
}
