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

    /// Returns settings of the changelog topic, by name.
    public Map<String, String> settings() {
      return new TreeMap<>(settings);
    }
  }

  /// Returns the defaults: back within a second, relaxed compaction, which is only recommended.
  public static RecoveryConfig defaults() {
    return new RecoveryConfig(Duration.ofSeconds(1), Compaction.RELAXED, false);
  }

  /// Returns a copy with another time that a recovery may take; 1 s by default.
  public RecoveryConfig withTarget(Duration newTarget) {
    return new RecoveryConfig(newTarget, compaction, manageTopics);
  }

  /// Returns a copy with another compaction of the changelog; relaxed by default.
  public RecoveryConfig withCompaction(Compaction newCompaction) {
    return new RecoveryConfig(target, newCompaction, manageTopics);
  }

  /// Returns a copy that sets the compaction on the changelog topic, or only recommends it, as by
  /// default.
  public RecoveryConfig withManageTopics(boolean newManageTopics) {
    return new RecoveryConfig(target, compaction, newManageTopics);
  }
}
