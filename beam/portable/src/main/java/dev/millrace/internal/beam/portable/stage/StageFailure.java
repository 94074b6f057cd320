package dev.millrace.internal.beam.portable.stage;

import org.jspecify.annotations.Nullable;

/// A bundle has failed in a harness. Its message is what the harness has said, such as the trace of
/// what user code has raised.
public final class StageFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private StageFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// Returns the failure of a stage.
  ///
  /// @param step what the stage is called
  static StageFailure of(String step, @Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String said = cause == null ? "nothing is known of it" : cause.getMessage();
    return new StageFailure(
        "A bundle of the stage that begins with '%s' has failed: %s"
            .formatted(step, said == null ? String.valueOf(cause) : said),
        failure);
  }
}
