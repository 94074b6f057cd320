package dev.millrace.internal.yarn.fleet;

/// How a container has ended, by its exit status: that of the process, or one of YARN's own, which
/// are negative.
public enum End {
  /// The input has ended, or the process was told to stop and has stopped in order.
  DONE,
  /// The process was asked to be started again.
  RESTART,
  /// It has failed for a reason that no start mends.
  FINAL,
  /// Somebody has killed it from outside.
  KILLED,
  /// YARN has taken the container away, or its host is gone.
  TAKEN_AWAY,
  /// The host could not start it.
  NOT_STARTED,
  /// It has failed.
  FAILED;

  private static final int SIGNALLED = 128;

  /// Returns what a status means. Those of a process are those of `dev.millrace.ExitCode`.
  public static End of(int status) {
    return switch (status) {
      case 0 -> DONE;
      case 6 -> RESTART;
      case 2, 3, 4 -> FINAL;
      case SIGNALLED + 9, SIGNALLED + 15 -> KILLED;
      // The shell found no program, or may not run it; YARN could not fetch its files, or its disks
      // are bad.
      case 126, 127, -1000, -101 -> NOT_STARTED;
      // Aborted, pre-empted, killed by the master, the resource manager, at the end, by the
      // scheduler of its node.
      case -100, -102, -105, -106, -107, -108 -> TAKEN_AWAY;
      default -> FAILED;
    };
  }
}
