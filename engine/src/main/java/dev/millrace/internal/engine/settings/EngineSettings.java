package dev.millrace.internal.engine.settings;

import dev.millrace.api.connector.Start;
import dev.millrace.spi.settings.Guarantee;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.RecordPlace;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How the engine runs; defaults are those of [#defaults].
///
/// @param commitInterval the longest time between two commits while there is something to commit
/// @param latencyTarget how long a record should take until what it caused is committed; the pace
///   of commits follows from it
/// @param transactionTimeout after which the log gives up a transaction that was not ended
/// @param flushInterval the longest time between two flushes of a task's committed layer to disk
/// @param recoveryTarget how long a recovery may take from the start of the engine to the first
///   record, after which the pace of flushes is chosen
/// @param idleAfter how long a split of a source must have stood at its end to be idle
/// @param alignment by how much event time an input of a stage may be ahead of another that has
///   records to read
/// @param start where a new application begins where its sources do not say; null if that is an
///   error
/// @param guarantee of the outputs; state is exact in both
/// @param badInput what to do with a record that cannot be processed
/// @param deadLetterTopic where such records go under [BadInput#DEAD_LETTER]
/// @param skipped records to pass over
public record EngineSettings(
    Duration commitInterval,
    Duration latencyTarget,
    Duration transactionTimeout,
    Duration flushInterval,
    Duration recoveryTarget,
    Duration idleAfter,
    Duration alignment,
    @Nullable Start start,
    Guarantee guarantee,
    BadInput badInput,
    String deadLetterTopic,
    Set<RecordPlace> skipped) {

  public enum BadInput {
    /// Stop the job and name the record.
    FAIL,
    /// Count it and go on.
    SKIP,
    /// Write it to the dead-letter topic, in the same transaction, and go on.
    DEAD_LETTER;

    /// What the application's author calls it.
    public static BadInput of(OnError policy) {
      return switch (policy) {
        case FAIL -> FAIL;
        case SKIP -> SKIP;
        case DEAD_LETTER -> DEAD_LETTER;
      };
    }
  }

  public static EngineSettings defaults() {
    return new EngineSettings(
        Duration.ofMillis(100),
        Duration.ofMillis(5),
        Duration.ofSeconds(60),
        Duration.ofSeconds(10),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        null,
        Guarantee.EXACTLY_ONCE,
        BadInput.FAIL,
        "",
        new LinkedHashSet<>());
  }

  /// Another guarantee of the outputs.
  public EngineSettings withGuarantee(Guarantee newGuarantee) {
    return new EngineSettings(
        commitInterval,
        latencyTarget,
        transactionTimeout,
        flushInterval,
        recoveryTarget,
        idleAfter,
        alignment,
        start,
        newGuarantee,
        badInput,
        deadLetterTopic,
        skipped);
  }

  /// Another time that a recovery may take.
  public EngineSettings withRecoveryTarget(Duration newTarget) {
    return new EngineSettings(
        commitInterval,
        latencyTarget,
        transactionTimeout,
        flushInterval,
        newTarget,
        idleAfter,
        alignment,
        start,
        guarantee,
        badInput,
        deadLetterTopic,
        skipped);
  }

  /// Another time after which a split that stands at its end is idle.
  public EngineSettings withIdleAfter(Duration newIdleAfter) {
    return new EngineSettings(
        commitInterval,
        latencyTarget,
        transactionTimeout,
        flushInterval,
        recoveryTarget,
        newIdleAfter,
        alignment,
        start,
        guarantee,
        badInput,
        deadLetterTopic,
        skipped);
  }

  /// Another bound for how far an input may be ahead.
  public EngineSettings withAlignment(Duration newAlignment) {
    return new EngineSettings(
        commitInterval,
        latencyTarget,
        transactionTimeout,
        flushInterval,
        recoveryTarget,
        idleAfter,
        newAlignment,
        start,
        guarantee,
        badInput,
        deadLetterTopic,
        skipped);
  }

  /// Another way with records that cannot be processed.
  public EngineSettings withBadInput(
      BadInput newBadInput, String newDeadLetterTopic, Set<RecordPlace> newSkipped) {
    return new EngineSettings(
        commitInterval,
        latencyTarget,
        transactionTimeout,
        flushInterval,
        recoveryTarget,
        idleAfter,
        alignment,
        start,
        guarantee,
        newBadInput,
        newDeadLetterTopic,
        newSkipped);
  }
}
