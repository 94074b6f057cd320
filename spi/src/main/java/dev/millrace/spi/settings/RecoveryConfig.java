package dev.millrace.spi.settings;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// How fast a job must be back after a crash.
///
/// @param target how long a recovery may take with the local state at hand, from the start of the
///   engine to the first record; the pace of flushes follows from it
/// @param compaction how eagerly the broker should compact the changelog, which decides how long a
///   restore takes without local state
/// @param manageTopics whether to set that on the changelog topic; otherwise it is only recommended
public record RecoveryConfig(Duration target, Compaction compaction, boolean manageTopics) {

  /// Policies for the changelog, after Chronarakis et al. ("none", "relaxed", "aggressive"): the
  /// more eager, the shorter a restore, and the more the broker has to do.
  public enum Compaction {
    /// As the broker does by default.
    NONE(Map.of()),
    /// Once two thirds of the changelog are outdated, within some minutes.
    RELAXED(Map.of("min.cleanable.dirty.ratio", "0.66", "segment.ms", "600000")),
    /// As soon as anything is outdated, within seconds.
    AGGRESSIVE(Map.of("min.cleanable.dirty.ratio", "0.01", "segment.ms", "10000"));

    private final Map<String, String> settings;

    Compaction(Map<String, String> settings) {
      this.settings = settings;
    }

    /// Settings of the changelog topic, by name.
    public Map<String, String> settings() {
      return new TreeMap<>(settings);
    }
  }

  public static RecoveryConfig defaults() {
    return new RecoveryConfig(Duration.ofSeconds(1), Compaction.RELAXED, false);
  }
}
