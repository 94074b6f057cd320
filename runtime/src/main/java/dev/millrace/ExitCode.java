package dev.millrace;

/// Exit codes of a process that runs a job.
public final class ExitCode {
  /// The input has ended, or the job was stopped on request.
  public static final int DONE = 0;

  /// The job failed; a restart may help.
  public static final int FAILED = 1;

  /// The command line or the configuration is wrong; a restart cannot help.
  public static final int USAGE = 2;

  /// A record could not be processed; a restart cannot help.
  public static final int BAD_INPUT = 3;

  /// Another process has barred this one for good, or uses what a command was to change.
  public static final int TAKEN = 4;

  /// The last records could not be committed within the time given to stop; the next start
  /// processes them again.
  public static final int STOP_TIMEOUT = 5;

  /// Somebody has asked for this process to be restarted, and it has stopped in order: it is to be
  /// started again.
  public static final int RESTART = 6;

  private ExitCode() {}
}
