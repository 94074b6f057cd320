package dev.millrace.benchmarks.peer;

import dev.millrace.benchmarks.peer.Peer.Restore;
import dev.millrace.benchmarks.process.Parent;

/// The process of a peer: runs it, and tells the benchmark how far it is.
public final class PeerMain {
  private static final long LOOK_MILLIS = 1;
  private static final long LATER_LOOK_MILLIS = 50;

  private PeerMain() {}

  /// Does not return.
  ///
  /// @param arguments as [Engine#start] gives them
  public static void run(Peer peer, String[] arguments) throws Exception {
    Parent.tell("main", System.currentTimeMillis());
    Parent.endWithIt();
    Parent.tell("version", peer.version());
    Parent.tell("settings", peer.settings());
    Runtime.getRuntime().addShutdownHook(new Thread(peer::stop, "stop"));
    peer.start(Work.of(arguments));
    try {
      watch(peer);
    } catch (IllegalStateException e) {
      e.printStackTrace();
      // The engine's own threads may still be at work.
      Runtime.getRuntime().halt(1);
    }
  }

  private static void watch(Peer peer) throws InterruptedException {
    boolean first = false;
    while (true) {
      long processed = peer.processed();
      if (!first && peer.everyTaskProcesses()) {
        first = true;
        Parent.tell("first", System.currentTimeMillis());
      }
      Restore restore = peer.restore();
      if (first && restore != null) {
        Parent.tell("restored", restore.records());
        Parent.tell("restore", restore.time().toMillis());
      }
      Parent.tell("processed", processed);
      peer.saves().ifPresent(saves -> Parent.tell("saves", saves));
      Thread.sleep(first ? LATER_LOOK_MILLIS : LOOK_MILLIS);
    }
  }
}
