package dev.millrace;

/// What a process that ran a job returns to its caller.
public final class ExitCode {
  /// The input has ended, or the job was asked to stop.
  public static final int DONE = 0;

  /// The job could not go on; a restart may help.
  public static final int FAILED = 1;

  /// The command line or the configuration is wrong; a restart cannot help.
  public static final int USAGE = 2;

  /// A record could not be processed; a restart cannot help.
  public static final int BAD_INPUT = 3;

  /// Another process runs this container, or took it over.
  public static final int TAKEN = 4;

  /// What was processed could not be committed within the time given to stop; it is processed again
  /// by the next start.
  public static final int STOP_TIMEOUT = 5;

  private ExitCode() {}
}
