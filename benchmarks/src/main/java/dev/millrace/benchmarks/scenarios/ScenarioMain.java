package dev.millrace.benchmarks.scenarios;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.benchmarks.process.Parent;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The process of a peer: runs it, and tells the benchmark how fast it is.
///
/// It measures itself, so that a slow parent does no harm: between the records at which the
/// assignment begins and ends the measurement, by its own clock and the processor time of all of
/// its threads, those of the JVM among them.
public final class ScenarioMain {
  private static final long LOOK_MILLIS = 2;
  private static final long LOOKS_A_WORD = 50;

  private ScenarioMain() {}

  private record Look(long processed, long nanos, long cpuNanos) {
    static Look at(long processed) {
      return new Look(processed, System.nanoTime(), cpu());
    }

    private static long cpu() {
      return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
          .getProcessCpuTime();
    }
  }

  /// Does not return.
  ///
  /// @param peers makes one; it is started once
  /// @param arguments as [Contender#start] gives them
  public static void run(Supplier<ScenarioPeer> peers, String[] arguments) throws Exception {
    Parent.endWithIt();
    Assignment assignment = Assignment.of(arguments);
    int seconds = assignment.measured().rehearsalSeconds();
    if (seconds > 0) {
      rehearse(peers.get(), assignment.rehearsal(), seconds);
    }
    ScenarioPeer peer = peers.get();
    Parent.tell("version", peer.version());
    Parent.tell("settings", peer.settings(assignment));
    Runtime.getRuntime().addShutdownHook(new Thread(peer::stop, "stop"));
    peer.start(assignment);
    try {
      watch(peer, assignment);
    } catch (IllegalStateException e) {
      e.printStackTrace();
      // The engine's own threads may still be at work.
      Runtime.getRuntime().halt(1);
    }
  }

  /// Does the same for some seconds from the first record on, so that the compilers of engine and
  /// Kafka have done their work.
  private static void rehearse(ScenarioPeer peer, Assignment assignment, int seconds)
      throws Exception {
    peer.start(assignment);
    Look first = awaitRecords(peer, 1);
    long end = first.nanos + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < end && peer.processed() < assignment.measured().until()) {
      Thread.sleep(LOOK_MILLIS);
    }
    peer.stop();
    Tally.forget();
  }

  private static void watch(ScenarioPeer peer, Assignment assignment) throws InterruptedException {
    Look from = awaitRecords(peer, assignment.measured().from());
    Look to = awaitRecords(peer, assignment.measured().until());
    Parent.tell(
        "measured",
        "%d %d %d"
            .formatted(
                to.processed - from.processed, to.nanos - from.nanos, to.cpuNanos - from.cpuNanos));
    awaitRecords(peer, Long.MAX_VALUE);
  }

  private static Look awaitRecords(ScenarioPeer peer, long wanted) throws InterruptedException {
    for (long look = 0; ; look++) {
      long processed = peer.processed();
      if (look % LOOKS_A_WORD == 0) {
        Parent.tell("processed", processed);
      }
      if (processed >= wanted) {
        return Look.at(processed);
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
