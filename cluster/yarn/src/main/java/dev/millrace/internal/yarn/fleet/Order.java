package dev.millrace.internal.yarn.fleet;

import org.jspecify.annotations.Nullable;

/// What is to be told to YARN.
public sealed interface Order {
  /// Ask for a container.
  ///
  /// @param id which no other ask has
  /// @param host where; null for anywhere
  /// @param strict whether nowhere else
  record Ask(long id, @Nullable String host, boolean strict) implements Order {}

  /// Do not ask for it any more.
  record Withdraw(long id) implements Order {}

  /// Take no containers on a host.
  record Avoid(String host) implements Order {}

  /// Take containers on it again.
  record Readmit(String host) implements Order {}
}
