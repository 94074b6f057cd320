package dev.millrace.testkit.sim;

import dev.millrace.api.StreamApplication;
import dev.millrace.internal.engine.Engine;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import java.time.Duration;
import java.util.function.Function;

/// A job on a real log and in real time, in one thread all the same: a container that is killed
/// lets go of its clients without a last word, and those that are replaced go on later.
///
/// What happens when is not given by the seed here, only at which steps who is crashed.
public final class RealRun implements Run {
  /// Steps are no measure here: a machine that is busy takes many while Kafka does little.
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /// How long an idle worker waits for records.
  private static final Duration WAIT = Duration.ofMillis(1);

  private static final Clock CLOCK = Clock.system();

  private final Cluster cluster;
  private final long startNanos = System.nanoTime();
  private long steps;
  private boolean idle;

  /// @param log as the test sees it
  /// @param connect gives a process a log of its own, which is closed with the process
  /// @param hosts where the local state is kept; closed by who made them
  public RealRun(
      long seed,
      StreamApplication application,
      SimulationSettings settings,
      Log log,
      Function<String, Log> connect,
      Hosts hosts) {
    Seed draws = new Seed(seed).fork("real run");
    cluster = new Cluster(new Real(log, connect), hosts, draws, application, settings);
  }

  private record Real(Log log, Function<String, Log> connecting) implements World {
    @Override
    public Clock clock() {
      return CLOCK;
    }

    @Override
    public Log connect(String process) {
      return connecting.apply(process);
    }

    @Override
    public void pause() {
      RealTopics.pause();
    }

    @Override
    public void ended(String process, Engine engine, Log client) {
      engine.abandon();
      client.close();
    }
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
  public Clock clock() {
    return CLOCK;
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
