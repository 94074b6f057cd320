package dev.millrace.internal.engine.settings;

import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.StateConfig;
import java.util.function.UnaryOperator;

/// How the engine runs: the concerns of a job's configuration that it reads, unchanged.
///
/// @param commit when results become visible
/// @param state of which the engine reads the time between flushes; sizes are in the plan
/// @param recovery of which the engine reads the target
/// @param input how streams are read
/// @param errors what happens to a record that cannot be processed; with the name of the
///   dead-letter topic
public record EngineSettings(
    CommitConfig commit,
    StateConfig state,
    RecoveryConfig recovery,
    InputConfig input,
    ErrorConfig errors) {

  /// Returns the defaults of every concern. The dead-letter topic has no name.
  public static EngineSettings defaults() {
    return new EngineSettings(
        CommitConfig.defaults(),
        StateConfig.defaults(),
        RecoveryConfig.defaults(),
        InputConfig.defaults(),
        ErrorConfig.defaults());
  }

  /// Returns a copy with changed commits.
  public EngineSettings withCommit(UnaryOperator<CommitConfig> change) {
    return new EngineSettings(change.apply(commit), state, recovery, input, errors);
  }

  /// Returns a copy with changed state.
  public EngineSettings withState(UnaryOperator<StateConfig> change) {
    return new EngineSettings(commit, change.apply(state), recovery, input, errors);
  }

  /// Returns a copy with a changed recovery.
  public EngineSettings withRecovery(UnaryOperator<RecoveryConfig> change) {
    return new EngineSettings(commit, state, change.apply(recovery), input, errors);
  }

  /// Returns a copy with changed inputs.
  public EngineSettings withInput(UnaryOperator<InputConfig> change) {
    return new EngineSettings(commit, state, recovery, change.apply(input), errors);
  }

  /// Returns a copy that handles records that cannot be processed in another way.
  public EngineSettings withErrors(UnaryOperator<ErrorConfig> change) {
    return new EngineSettings(commit, state, recovery, input, change.apply(errors));
  }
}
