package dev.millrace.engine.commit;

import org.jspecify.annotations.Nullable;

/// Why a task or a group could not go on.
///
/// @param message names topic, partition, offset, store or file, and the way out
public record Failure(Kind kind, String message, @Nullable Throwable cause) {

  public enum Kind {
    /// Going back to the last commit may mend it; the job tries again a few times.
    MENDABLE,
    /// There is no space for state; the job waits until there is, however long that takes.
    NO_SPACE,
    /// As `MENDABLE`, and it is certain that the next try gets further: something was skipped.
    PROGRESS,
    /// A record that cannot be processed, and the policy is to stop.
    BAD_INPUT,
    /// Another process took over.
    FENCED,
    /// The job cannot begin as it is set up: a person must change that.
    SETUP,
    /// Nothing here can mend it.
    FINAL
  }
}
