package dev.millrace.internal.cluster.place;

/// A state directory where a bundle was processed, and the host that it was on.
///
/// @param home the id that is kept beside the state; it outlives processes
/// @param host the host on which a process used it last
public record Home(String home, String host) {}
