package dev.millrace.internal.state;

/// How far the values of a store are migrated from earlier versions of its serde.
///
/// @param migrated how many values were put anew in the background since the task was opened; those
///   that are put again after a roll-back count again
/// @param failed how many could not be read or written, and are as they were
public record StoreMigration(String store, long migrated, long failed) {}
