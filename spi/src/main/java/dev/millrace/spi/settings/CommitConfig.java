package dev.millrace.spi.settings;

import java.time.Duration;

/// When results become visible, and how often they are written.
///
/// @param interval the longest time between two commits while there is something to commit
/// @param latencyTarget how long a record should take until its results are committed; commits come
///   as often as that needs, within `interval`
/// @param guarantee of the results; state is exact in any case
/// @param transactionTimeout after which the log gives up the transaction of a process that hangs;
///   at most 24 days, and less if the broker says so (`transaction.max.timeout.ms`, by default 15
///   minutes)
public record CommitConfig(
    Duration interval, Duration latencyTarget, Guarantee guarantee, Duration transactionTimeout) {

  /// The longest `transactionTimeout`: in milliseconds it must fit into 32 bits.
  public static final Duration LONGEST_TRANSACTION = Duration.ofDays(24);

  /// @throws ConfigException if the log could not take the transaction timeout
  public CommitConfig {
    if (!transactionTimeout.isPositive() || transactionTimeout.compareTo(LONGEST_TRANSACTION) > 0) {
      throw new ConfigException(
          "commit.transaction-timeout is %s; it must be above 0 and at most %d days."
              .formatted(transactionTimeout, LONGEST_TRANSACTION.toDays()));
    }
  }

  /// Returns the defaults: commits at least every 100 ms, a latency of 5 ms if that can be reached,
  /// exactly once, transactions of at most 60 s.
  public static CommitConfig defaults() {
    return new CommitConfig(
        Duration.ofMillis(100),
        Duration.ofMillis(5),
        Guarantee.EXACTLY_ONCE,
        Duration.ofSeconds(60));
  }

  /// Returns a copy with another longest time between two commits; 100 ms by default.
  public CommitConfig withInterval(Duration newInterval) {
    return new CommitConfig(newInterval, latencyTarget, guarantee, transactionTimeout);
  }

  /// Returns a copy with another time from a record's arrival to the commit of its results; 5 ms by
  /// default.
  public CommitConfig withLatencyTarget(Duration newTarget) {
    return new CommitConfig(interval, newTarget, guarantee, transactionTimeout);
  }

  /// Returns a copy with another guarantee of the results; exactly once by default.
  public CommitConfig withGuarantee(Guarantee newGuarantee) {
    return new CommitConfig(interval, latencyTarget, newGuarantee, transactionTimeout);
  }

  /// Returns a copy with another time after which the log gives up a transaction; 60 s by default.
  ///
  /// @throws ConfigException if it is not above 0, or longer than 24 days
  public CommitConfig withTransactionTimeout(Duration newTimeout) {
    return new CommitConfig(interval, latencyTarget, guarantee, newTimeout);
  }
}
