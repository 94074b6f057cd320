package dev.millrace.config;

import org.jspecify.annotations.Nullable;

/// How much memory the job may use.
///
/// @param budget in bytes, for all of it that grows with the load; null for what follows from the
///   heap and the limit
/// @param limit in bytes, what the process may have; null for what the container or the machine has
public record MemoryConfig(@Nullable Long budget, @Nullable Long limit) {

  /// Returns the defaults: both follow from the process.
  public static MemoryConfig defaults() {
    return new MemoryConfig(null, null);
  }

  /// Returns a budget in bytes, with the default limit.
  public static MemoryConfig of(long budgetBytes) {
    return defaults().withBudget(budgetBytes);
  }

  /// Returns a copy with a budget, in bytes; by default it follows from the heap and the limit.
  public MemoryConfig withBudget(long bytes) {
    return new MemoryConfig(bytes, limit);
  }

  /// Returns a copy with a limit of the process, in bytes; by default that of the container or the
  /// machine.
  public MemoryConfig withLimit(long bytes) {
    return new MemoryConfig(budget, bytes);
  }
}
