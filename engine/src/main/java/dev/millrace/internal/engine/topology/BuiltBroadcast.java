package dev.millrace.internal.engine.topology;

import dev.millrace.api.Broadcast;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;

/// The typed front of a table that every task has as a whole.
///
/// @param node keeps it
/// @param store where
record BuiltBroadcast<K, V>(
    TopologyBuilder topology, Node node, Serde<Object> keySerde, StoreSpec<Bytes, Object> store)
    implements Broadcast<K, V> {}
