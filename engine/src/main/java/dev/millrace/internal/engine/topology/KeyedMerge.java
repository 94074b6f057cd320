package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;

/// Adds the merge of two streams with keys to a topology.
final class KeyedMerge {
  private KeyedMerge() {}

  static <K, V> KeyedStream<K, V> of(BuiltKeyedStream<K, V> left, KeyedStream<K, V> other) {
    if (!(other instanceof BuiltKeyedStream<K, V> right)) {
      throw TopologyBuilder.foreign("merge");
    }
    TopologyBuilder topology = left.topology();
    topology.requireOwn(right.topology(), "merge");
    if (!Output.sameFormat(left.keySerde(), right.keySerde())) {
      throw new InvalidTopologyException(
          "merge was given streams whose keys have different bytes: serde '%s' and serde '%s'. Records of one key would not meet; bring one side to the other's keys with groupBy(name, key).keyAs(serde).stream()."
              .formatted(left.keySerde().id(), right.keySerde().id()));
    }
    Node merge = topology.addKeyed(id -> new Node.Merge(id, left.node(), right.node()));
    return new BuiltKeyedStream<>(
        topology, merge, left.keySerde(), left.typing().or(right.typing()));
  }
}
