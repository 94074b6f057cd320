package dev.millrace.benchmarks.scenarios;

import dev.millrace.benchmarks.process.CpuProfile;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.Stretch;
import dev.millrace.benchmarks.process.Stretch.Look;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The process of a peer: runs it, and tells the benchmark how fast it is between the records at
/// which the assignment begins and ends the measurement.
public final class ScenarioMain {
  /// The property with the file into which a profile of the measured stretch goes, if one is
  /// wanted.
  static final String PROFILE = "millrace.bench.profile";

  private static final long LOOK_MILLIS = 10;

  private ScenarioMain() {}

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
    Look first = Stretch.await(peer::processed, 1);
    long end = first.nanos() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < end && peer.processed() < assignment.measured().until()) {
      Thread.sleep(LOOK_MILLIS);
    }
    peer.stop();
    Tally.forget();
  }

  private static void watch(ScenarioPeer peer, Assignment assignment)
      throws InterruptedException, IOException {
    Look from = Stretch.await(peer::processed, assignment.measured().from());
    Duration broker = cpu(assignment.measured().broker());
    String file = System.getProperty(PROFILE);
    CpuProfile profile = file == null ? null : CpuProfile.start();
    Look until = Stretch.await(peer::processed, assignment.measured().until());
    if (profile != null && file != null) {
      profile.end(Path.of(file));
    }
    // Told before the stretch, which is what the parent waits for.
    Parent.tell("broker", cpu(assignment.measured().broker()).minus(broker).toNanos());
    until.since(from).tell();
    var _ = Stretch.await(peer::processed, Long.MAX_VALUE);
  }

  /// The processor time of another process so far, in user and kernel mode.
  private static Duration cpu(long process) {
    return ProcessHandle.of(process)
        .flatMap(each -> each.info().totalCpuDuration())
        .orElseThrow(() ->
            new IllegalStateException(
                "The processor time of Kafka, process %d, cannot be read.".formatted(process)));
  }
}
