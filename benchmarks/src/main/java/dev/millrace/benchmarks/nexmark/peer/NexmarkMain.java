package dev.millrace.benchmarks.nexmark.peer;

import dev.millrace.benchmarks.nexmark.model.Tally;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.Stretch;
import dev.millrace.benchmarks.process.Stretch.Look;
import dev.millrace.benchmarks.process.Waiting;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The process of a peer: has it answer a query, and tells the benchmark how long that took, from
/// some of the events to the end, and what the results add up to.
public final class NexmarkMain {
  private static final long LOOK_MILLIS = 2;
  private static final long LOOKS_A_WORD = 50;

  private NexmarkMain() {}

  /// Ends the process.
  ///
  /// @param peers makes one; it is started once
  /// @param arguments as [NexmarkWork#arguments] gives them
  public static void run(Supplier<NexmarkPeer> peers, String[] arguments) throws Exception {
    Parent.endWithIt();
    NexmarkWork work = NexmarkWork.of(arguments);
    try {
      if (work.measured().rehearsalSeconds() > 0) {
        rehearse(peers.get(), work.rehearsal());
      }
      measure(peers.get(), work);
    } catch (IllegalStateException e) {
      e.printStackTrace();
      // The engine's own threads may still be at work.
      Runtime.getRuntime().halt(1);
    }
    awaitParent();
  }

  /// Does the same first, so that the compilers have done their work.
  private static void rehearse(NexmarkPeer peer, NexmarkWork work) throws Exception {
    peer.start(work, new Tally());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(work.measured().rehearsalSeconds());
    for (long look = 0; !peer.ended() && System.nanoTime() < end; look++) {
      if (look % LOOKS_A_WORD == 0) {
        Parent.tell(Waiting.REHEARSED, peer.processed());
      }
      Thread.sleep(LOOK_MILLIS);
    }
    peer.stop();
  }

  private static void measure(NexmarkPeer peer, NexmarkWork work) throws Exception {
    Tally results = new Tally();
    Parent.tell("version", peer.version());
    Parent.tell("settings", peer.settings(work));
    peer.start(work, results);
    Look from = Stretch.await(peer::processed, work.measured().from());
    for (long look = 0; !peer.ended(); look++) {
      if (look % LOOKS_A_WORD == 0) {
        Parent.tell("processed", peer.processed());
      }
      Thread.sleep(LOOK_MILLIS);
    }
    Look until = Stretch.await(() -> work.events().events(), 0);
    peer.stop();
    Parent.tell("sum", results.sum());
    Parent.tell("left", results.left());
    Parent.tell("results", results.results());
    // Told last, which is what the parent waits for.
    until.since(from).tell();
  }

  /// The parent ends it when it has heard all.
  private static void awaitParent() throws InterruptedException {
    while (true) {
      Thread.sleep(1_000);
    }
  }
}
