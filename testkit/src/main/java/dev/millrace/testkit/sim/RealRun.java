package dev.millrace.testkit.sim;

import dev.millrace.engine.Engine;
import dev.millrace.engine.settings.Placement;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import java.time.Duration;
import java.util.function.Function;

/// A job on a real log and in real time, in one thread all the same: a container that is killed
/// lets go of its clients without a last word, and those that are replaced go on later.
///
/// What happens when is not given by the seed here: only the job, its input, and at which steps who
/// is crashed.
final class RealRun implements Run {
  /// More crashes than so many take long: each costs a second or two until all goes on.
  private static final int MOST_CRASHES = 4;

  /// Steps are no measure here: a machine that is busy takes many while Kafka does little.
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /// How long an idle worker waits for records.
  private static final Duration WAIT = Duration.ofMillis(1);

  private final DrawnJob job;
  private final Log log;
  private final Cluster cluster;
  private final long startNanos = System.nanoTime();
  private long steps;
  private boolean idle;

  /// @param log as the test sees it
  /// @param connect gives a process its own, which it closes
  RealRun(long seed, DrawnJob job, Log log, Function<String, Log> connect, Hosts hosts) {
    this.job = job;
    this.log = log;
    Seed draws = new Seed(seed).fork("real run");
    cluster = new Cluster(new Real(log, connect), hosts, draws, job.application(), job.settings());
  }

  private record Real(Log log, Function<String, Log> connecting) implements World {
    private static final Clock CLOCK =
        new Clock() {
          @Override
          public long millis() {
            return System.currentTimeMillis();
          }

          @Override
          public long nanos() {
            return System.nanoTime();
          }
        };

    @Override
    public Clock clock() {
      return CLOCK;
    }

    @Override
    public Log connect(String process) {
      return connecting.apply(process);
    }

    @Override
    public void ended(String process, Engine engine, Log client) {
      engine.abandon();
      client.close();
    }
  }

  /// Runs the job to its end and looks at all that it has done.
  ///
  /// @throws AssertionError if what came of it is not what must come
  Scenario.Seen run(long seed, CrashSchedule schedule) {
    RealTopics topics = new RealTopics(log);
    topics.create(job.topics());
    topics.write(cluster.plan().application() + "-input", job.input());
    try {
      Chaos.run(this, seed, schedule.first(MOST_CRASHES), false);
      Scenario.requireNothingLate(cluster);
    } finally {
      cluster.endAll();
    }
    // What was killed last may have left something open, and nobody comes after it.
    log.fence(log.transactionalIds(Placement.idPrefix(cluster.plan().application())));
    Written written = topics.read(cluster.plan(), job);
    job.requireExact(written);
    StateCheck.requireReplayable(cluster, written);
    return new Scenario.Seen(steps, 0, cluster.crashPoints());
  }

  @Override
  public Cluster cluster() {
    return cluster;
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public boolean overdue() {
    return System.nanoTime() - startNanos > LONGEST.toNanos();
  }

  @Override
  public void step() {
    steps++;
    idle = !cluster.nextInTurn(steps).step(idle ? WAIT : Duration.ZERO);
  }

  @Override
  public void disturb(Seed faults) {}

  @Override
  public void calm() {}
}
