package dev.millrace.internal.cluster.decide;

/// That somebody wants a process to restart: it is to let others have its bundles, and then to end
/// so that it is started again.
///
/// @param life of the process; those of its home after it are not meant
/// @param patienceMillis how long it waits for others to have its bundles; then it ends in any case
public record RestartRequest(long life, long patienceMillis) {}
