package dev.millrace.benchmarks.change.peer;

import dev.millrace.benchmarks.process.Parent;

/// The process of another engine. It ends with status 1 if the engine fails; the last that it
/// writes to standard error is why.
public final class ChangePeerMain {
  private static final long LOOK_MILLIS = 50;

  private ChangePeerMain() {}

  /// Does not return.
  public static void run(ChangePeer peer, String[] arguments) throws Exception {
    Parent.endWithIt();
    Parent.tell("version", peer.version());
    Parent.tell("settings", peer.settings());
    Assignment assignment = Assignment.of(arguments);
    peer.start(assignment);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(peer), "stop"));
    try {
      while (true) {
        peer.requireRunning();
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (IllegalStateException e) {
      System.err.println(reasons(e));
      // The engine's own threads may still be at work.
      Runtime.getRuntime().halt(1);
    }
  }

  private static void stop(ChangePeer peer) {
    try {
      peer.stop();
    } catch (Exception e) { // outermost: whatever an engine throws, its process ends
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  /// What was thrown, and what all began with.
  private static String reasons(Throwable thrown) {
    Throwable first = thrown;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return thrown.getCause() == null
        ? String.valueOf(thrown.getMessage())
        : thrown.getMessage() + " " + first.getMessage();
  }
}
