package dev.millrace.config;

import dev.millrace.engine.settings.EngineSettings.Guarantee;
import java.time.Duration;

/// How results become visible.
///
/// @param interval the longest time between two commits while there is something to commit
/// @param transactionTimeout after which the broker gives up a transaction of a process that hangs
public record CommitConfig(Duration interval, Guarantee guarantee, Duration transactionTimeout) {

  public static CommitConfig defaults() {
    return new CommitConfig(Duration.ofMillis(100), Guarantee.EXACTLY_ONCE, Duration.ofSeconds(60));
  }
}
