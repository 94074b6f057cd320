package dev.millrace.internal.cluster.decide;

/// That somebody wants a bundle to be owned by a member, as long as that process lives.
///
/// @param home of the member
/// @param life of the process
/// @param from the home of who owned the bundle when that was asked for
public record MoveRequest(String home, long life, String from) {}
