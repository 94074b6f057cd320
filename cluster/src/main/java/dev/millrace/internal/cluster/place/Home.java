package dev.millrace.internal.cluster.place;

/// A member that processed a bundle, and the disk with its state.
///
/// @param volume names the disk; members with the same one can open each other's state, one after
///   the other
public record Home(String home, String volume) {}
