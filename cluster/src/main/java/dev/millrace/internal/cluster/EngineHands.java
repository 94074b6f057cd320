package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.HeldTask;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.recovery.Follower;
import dev.millrace.spi.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Has an engine do what is decided: each of its tasks is a bundle. Used by one thread.
public final class EngineHands implements Hands {
  private final Engine engine;
  private final Follower follower;
  private final Supplier<Collection<Integer>> stored;
  private final TaskLoads loads;
  private final boolean addsPartitions;

  /// @param engine whose tasks come and go
  /// @param stored returns the numbers of the tasks that have state on this process's disks
  /// @param addsPartitions whether this process may add partitions to topics of the application
  public EngineHands(
      Engine engine, Supplier<Collection<Integer>> stored, Clock clock, boolean addsPartitions) {
    this.engine = engine;
    this.stored = stored;
    this.addsPartitions = addsPartitions;
    loads = new TaskLoads(clock);
    follower = Objects.requireNonNull(engine.follower());
  }

  @Override
  public void take(int bundle, long version, boolean force) {
    engine.take(bundle, version, force);
  }

  @Override
  public void give(int bundle) {
    engine.give(bundle);
  }

  @Override
  public void follow(int bundle) {
    follower.follow(bundle, true);
  }

  @Override
  public void knows(int part, int parent) {
    engine.knows(part, parent);
  }

  @Override
  public String whyNotSplit(int bundle) {
    return addsPartitions
        ? engine.whyNotSplit(bundle)
        : "The changelog needs a partition for the new task, and topics.create is false: set it to"
            + " true.";
  }

  @Override
  public int addBundle(int least) {
    return engine.addTask(least);
  }

  @Override
  public void split(int bundle, int part) {
    engine.split(bundle, part);
  }

  @Override
  public void forget(int bundle) {
    follower.follow(bundle, false);
  }

  @Override
  public List<Report> reports() {
    SortedMap<Integer, Report> reports = new TreeMap<>();
    for (int task : stored.get()) {
      reports.put(task, new Report(task, Report.State.STORED, 0, -1, 0, 0));
    }
    follower
        .following()
        .forEach((task, warm) ->
            reports.put(task, new Report(task, Report.State.FOLLOWING, 0, warm ? 0 : -1, 0, 0)));
    SortedMap<Integer, TaskMetrics> metrics = new TreeMap<>();
    engine.taskMetrics().forEach((id, of) -> metrics.put(id.number(), of));
    SortedMap<Integer, HeldTask> held = engine.held();
    loads.retain(held.keySet());
    held.forEach((task, of) -> reports.put(task, report(task, of, metrics.get(task))));
    return new ArrayList<>(reports.values());
  }

  private Report report(int task, HeldTask held, @Nullable TaskMetrics metrics) {
    boolean ended = metrics != null && metrics.ended();
    return new Report(
        task,
        switch (held.stage()) {
          case COMING -> Report.State.TAKING;
          case OWNED -> ended ? Report.State.DONE : Report.State.OWNER;
          case LEAVING -> Report.State.LEAVING;
        },
        held.version(),
        follower.awaitingBirth().contains(task) ? 0 : -1,
        metrics == null ? 0 : loads.weight(task, metrics.busyNanos()),
        metrics == null ? 0 : bytes(metrics));
  }

  private static long bytes(TaskMetrics task) {
    SortedMap<Integer, Long> stores = task.storeBytes();
    return stores == null ? 0 : stores.values().stream().mapToLong(Long::longValue).sum();
  }
}
