package dev.millrace.internal.yarn;

/// The statuses of a command, as those of `dev.millrace.ExitCode`, which would bring the whole
/// engine to every master.
final class Exit {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int TAKEN = 4;

  private Exit() {}
}
