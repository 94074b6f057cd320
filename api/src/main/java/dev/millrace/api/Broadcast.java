package dev.millrace.api;

/// A table that every task has as a whole: the records of any stream can look up any of its keys,
/// whatever they are partitioned by. See [Topology#broadcastTable].
///
/// It can be looked up and nothing else, for what was made of it would be made by every task.
public interface Broadcast<K, V> {}
