package dev.millrace.internal.engine.operators;

/// Windows that end at a time. Times are milliseconds since 1970 (UTC).
public sealed interface WindowSet permits AlignedWindows, SizedWindows {

  /// For how long behind its end a late record corrects a window.
  long latenessMillis();

  /// Whether windows are kept when they are closed.
  default boolean correctable() {
    return latenessMillis() > 0;
  }

  /// Where a task keeps what it has of them; for one operator.
  WindowPlaces places();
}
