package dev.millrace.testkit.sim;

/// An application with something outside of it that goes on by itself, whichever processes live.
interface Outside {

  /// Another step is taken.
  void goOn();
}
