package dev.millrace.internal.engine.commit;

import dev.millrace.spi.LogException;
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
    /// The job cannot begin, or go on, as it and the log are set up: a person must change that.
    SETUP,
    /// Nothing here can mend it.
    FINAL;

    /// What a failure of the log means to a job.
    public static Kind of(LogException.Kind kind) {
      return switch (kind) {
        case UNAVAILABLE -> MENDABLE;
        case FENCED -> FENCED;
        case POSITION_LOST, MISSING, REFUSED -> SETUP;
        case TOO_LARGE -> FINAL;
      };
    }
  }
}
