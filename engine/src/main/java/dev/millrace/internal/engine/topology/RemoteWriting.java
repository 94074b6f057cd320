package dev.millrace.internal.engine.topology;

import dev.millrace.api.KeyedStream;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.outside.RemoteTableOperators;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds writes to a remote table to a topology.
record RemoteWriting(String name, RemoteTable<?, ?> table) {
  private static final String KIND = "put to remote ";

  /// @param value null if what is written are the values of the stream
  <K, V> KeyedStream<K, V> of(
      BuiltKeyedStream<K, V> stream, @Nullable Mapper<?, ? extends @Nullable Object> value) {
    TopologyBuilder topology = stream.topology();
    String operator = "put '" + name + "'";
    topology.names().takeOperator("put", name);
    Typing.requireCanonical(
        operator + " is given",
        stream.keySerde(),
        "Use groupBy(name, key).keyAs(serde) with one that does.");
    ShownType written =
        value == null
            ? ShownType.unknown("nothing else shows them")
            : LambdaTypes.parameter(value, 0);
    Serde<Object> keys = Erased.serde(stream.keySerde());
    Serde<Object> values =
        stream.typing().valueSerde(topology.serdes(), operator + " keeps", written);
    Declaration declared =
        RemoteTableOperators.write(
            operator,
            name,
            Erased.call(table.put()),
            keys,
            values,
            value == null ? each -> each : Erased.mapper(value));
    String kind = KIND + table.name();
    Node put = topology.addStateful(operator, name, kind, List.of(stream.node()), keys, declared);
    return new BuiltKeyedStream<>(topology, put, stream.keySerde(), stream.typing().with(values));
  }

  /// Whether that is the kind of an operator that was added here.
  static boolean isKind(String kind) {
    return kind.startsWith(KIND);
  }
}
