package dev.millrace.examples.transfers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.Job;
import dev.millrace.JobState;
import dev.millrace.Millrace;
import dev.millrace.api.connector.Start;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.examples.crash.BrokerProcess;
import dev.millrace.examples.transfers.TransfersLoad.Outcome;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Ten million transfers, or as many as the system property `millrace.transfers` says, whose times
/// are out of order by up to ten seconds, on a real Kafka: every sum over all balances that is
/// committed is zero. It runs alone in its JVM: beside others 15 minutes were not enough.
@Isolated
@Tag("thorough")
class MillionsOfTransfersTest {
  private static final int TRANSFERS = Integer.getInteger("millrace.transfers", 10_000_000);

  /// So many are enough to see that sums are wrong without ticks.
  private static final int FEW = 200_000;

  /// Less than the job would take, as the JVM of tests is small.
  private static final long MEMORY_BYTES = 128L << 20;

  private static final Duration PATIENCE = Duration.ofMinutes(15);

  @TempDir private Path directory;

  @Test
  void everySumThatIsCommittedIsZero() throws Exception {
    try (BrokerProcess kafka = new BrokerProcess(directory)) {
      Outcome consistent = run(new Transfers(true), TRANSFERS, kafka.bootstrap());
      assertEquals(0, consistent.wrong(), consistent::toString);
      assertTrue(
          consistent.sums() >= 3 * (TRANSFERS / TransfersLoad.A_SECOND), consistent::toString);
      Outcome atOnce = run(new Transfers(false), Math.min(TRANSFERS, FEW), kafka.bootstrap());
      assertTrue(atOnce.wrong() > 0, "Without ticks sums are wrong in between: " + atOnce);
    }
  }

  private Outcome run(Transfers application, int count, String bootstrap) throws Exception {
    TransfersLoad load = new TransfersLoad(application, count, bootstrap);
    load.write();
    JobConfig config =
        JobConfig.of(bootstrap)
            .withInput(InputConfig.defaults().withStart(Start.earliest()))
            .withMemory(MemoryConfig.of(MEMORY_BYTES))
            .withState(
                StateConfig.in(directory.resolve(application.name()))
                    .withFlushInterval(Duration.ofSeconds(1)));
    long begun = System.nanoTime();
    try (Job job = Millrace.start(application, config)) {
      assertTrue(job.await(PATIENCE), () -> application.name() + " is " + job.state());
      assertEquals(JobState.COMPLETED, job.state(), () -> String.valueOf(job.failure()));
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    Outcome outcome = load.outcome();
    System.out.printf(
        "transfers: %s, %,d transfers in %d s, %,d sums committed, %,d of them not zero, the"
            + " largest %,d%n",
        application.name(),
        count,
        took.toSeconds(),
        outcome.sums(),
        outcome.wrong(),
        outcome.largest());
    return outcome;
  }
}
