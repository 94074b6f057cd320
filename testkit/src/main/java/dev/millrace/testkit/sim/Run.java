package dev.millrace.testkit.sim;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import dev.millrace.testkit.Seed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A job that is run in steps by one thread, while its containers are crashed.
public interface Run {

  /// Its containers.
  Cluster cluster();

  /// The steps taken so far.
  long steps();

  /// The time as it is where no clock is wrong.
  Clock clock();

  /// Whether it takes longer than any run should that gets on.
  boolean overdue();

  /// One worker does a piece of work, and time passes.
  void step();

  /// Lets things go wrong between the containers and the log from now on, if that can be had.
  void disturb(Seed faults);

  /// Lets nothing go wrong any more.
  void calm();

  /// The plan; made from the topics there are when it is asked for first.
  default Plan plan() {
    return cluster().plan();
  }

  /// How many containers there are, whether or not they run.
  default int containers() {
    return cluster().size();
  }

  /// Starts every container that does not run.
  default void startAll() {
    cluster().startAll();
  }

  /// Asks all containers to stop.
  default void stopAll() {
    cluster().stopAll();
  }

  /// Ends the life of a container's process.
  ///
  /// @param losesPower whether what its disk had not synced is lost as well
  default void crash(int container, boolean losesPower) {
    cluster().container(container).crash(losesPower, false);
  }

  /// Ends the life of a container's process and of its host, and starts all that do not run; this
  /// one on a host that has no state yet.
  default void loseHost(int container) {
    crash(container, true);
    cluster().replace(container, 0);
  }

  /// Whether every container runs.
  default boolean allRun() {
    return cluster().allRun();
  }

  /// Whether nothing runs that has anything to do.
  default boolean allStand() {
    return cluster().allStand();
  }

  /// Whether every container has come to its end, and the job with it.
  default boolean completed() {
    return cluster().completed();
  }

  /// The engine of a container; null if it does not run.
  default @Nullable Engine engine(int container) {
    return cluster().container(container).engine();
  }

  /// The failures that containers ended with so far.
  default List<Failure> failures() {
    return cluster().failures();
  }

  /// Where everybody stands, for messages.
  default String state() {
    return cluster().state();
  }

  /// Ends every process that still runs.
  default void endAll() {
    cluster().endAll();
  }
}
