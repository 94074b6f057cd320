package dev.millrace.engine.lease;

/// A process that runs a container.
///
/// @param sinceMillis when it started, in milliseconds since 1970 (UTC)
/// @param home names the state directory it uses, the same for all processes that use it, one at a
///   time
public record Holder(String host, long pid, long sinceMillis, String home) {}
