package dev.millrace.config;

import org.jspecify.annotations.Nullable;

/// How much memory the job may use.
///
/// @param budget in bytes, for all of it that grows with the load; null for what follows from the
///   heap and the limit
/// @param limit in bytes, what the process may have; null for what the container or the machine has
public record MemoryConfig(@Nullable Long budget, @Nullable Long limit) {

  public static MemoryConfig defaults() {
    return new MemoryConfig(null, null);
  }

  public static MemoryConfig of(long budgetBytes) {
    return new MemoryConfig(budgetBytes, null);
  }
}
