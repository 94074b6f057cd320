package dev.millrace.spi.settings;

import java.time.Duration;

/// How results become visible.
///
/// @param interval the longest time between two commits while there is something to commit
/// @param latencyTarget how long a record should take until what it caused is committed; commits
///   come as often as that needs
/// @param transactionTimeout after which the broker gives up a transaction of a process that hangs;
///   at most 24 days here, and less if the broker says so (`transaction.max.timeout.ms`, by default
///   15 minutes)
public record CommitConfig(
    Duration interval, Duration latencyTarget, Guarantee guarantee, Duration transactionTimeout) {

  /// In milliseconds it must fit into 32 bits.
  public static final Duration LONGEST_TRANSACTION = Duration.ofDays(24);

  public CommitConfig {
    if (!transactionTimeout.isPositive() || transactionTimeout.compareTo(LONGEST_TRANSACTION) > 0) {
      throw new ConfigException(
          "commit.transaction-timeout is %s; it must be above 0 and at most %d days."
              .formatted(transactionTimeout, LONGEST_TRANSACTION.toDays()));
    }
  }

  public static CommitConfig defaults() {
    return new CommitConfig(
        Duration.ofMillis(100),
        Duration.ofMillis(5),
        Guarantee.EXACTLY_ONCE,
        Duration.ofSeconds(60));
  }

  public CommitConfig withInterval(Duration newInterval) {
    return new CommitConfig(newInterval, latencyTarget, guarantee, transactionTimeout);
  }

  public CommitConfig withGuarantee(Guarantee newGuarantee) {
    return new CommitConfig(interval, latencyTarget, newGuarantee, transactionTimeout);
  }

  public CommitConfig withLatencyTarget(Duration newTarget) {
    return new CommitConfig(interval, newTarget, guarantee, transactionTimeout);
  }
}
