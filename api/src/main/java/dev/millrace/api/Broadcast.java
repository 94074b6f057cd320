package dev.millrace.api;

/// A table that every task has as a whole: the records of any stream can look up any of its keys,
/// whatever they are partitioned by. See [Topology#broadcastTable].
///
/// It can be looked up and nothing else, as what was computed from it would be computed by every
/// task.
public interface Broadcast<K, V> {}
