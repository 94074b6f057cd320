package dev.millrace.internal.beam.run;

import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.util.UserCodeException;
import org.jspecify.annotations.Nullable;

/// What Beam's users are told of a failure.
public final class Causes {
  private Causes() {}

  /// Returns the exception that a pipeline ends with: of what user code has thrown, if it has.
  public static PipelineExecutionException failed(@Nullable Throwable failure, String message) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UserCodeException user && user.getCause() != null) {
        return new PipelineExecutionException(user.getCause());
      }
    }
    return new PipelineExecutionException(
        failure == null ? new IllegalStateException(message) : failure);
  }
}
