package dev.millrace.testkit.sim;

/// An application with something outside of it that goes on by itself, whichever processes live.
interface Outside {

  /// Another step is taken.
  void goOn();

  /// Whether the job has done all that it has to do, though its inputs have no end.
  default boolean isOver() {
    return false;
  }
}
