package dev.millrace.internal.engine.lease;

/// A process that runs a container.
///
/// @param sinceMillis when it started, in milliseconds since 1970 (UTC)
/// @param home names the state directory it uses, the same for all processes that use it, one at a
///   time
/// @param http where it serves its metrics, such as `10.0.0.7:8080`; empty if it does not
public record Holder(String host, long pid, long sinceMillis, String home, String http) {}
