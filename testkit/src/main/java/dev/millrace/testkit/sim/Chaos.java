package dev.millrace.testkit.sim;

import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Host;
import dev.millrace.testkit.sim.CrashSchedule.Crash;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;

/// Runs a job to its end while its containers are crashed.
final class Chaos {
  /// A container whose crash came in its disk, or not at all, is looked for now and then.
  private static final int LOOK_STEPS = 20;

  private static final int MOST_CONTAINERS = 3;
  private static final int MOST_WORKERS = 3;

  private final Run run;
  private final Cluster cluster;
  private final ArrayDeque<Crash> ahead;
  private final PriorityQueue<Long> starts = new PriorityQueue<>(Comparator.naturalOrder());

  /// The hosts whose disks are full, and the steps at which they are freed.
  private final Map<Host, Long> full = new LinkedHashMap<>();

  /// The number of the shape that is taken on when nothing runs any more; -1 for none.
  private int nextShape = -1;

  private Chaos(Run run, CrashSchedule schedule) {
    this.run = run;
    cluster = run.cluster();
    ahead = new ArrayDeque<>(schedule.crashes());
  }

  /// @param faults whether the log has faults too, drawn from the seed
  static void run(Run run, long seed, CrashSchedule schedule, boolean faults) {
    if (faults) {
      run.disturb(new Seed(seed).fork("faults"));
    }
    new Chaos(run, schedule).toTheEnd();
    run.calm();
  }

  private void toTheEnd() {
    cluster.startAll();
    while (!cluster.completed() || nextShape >= 0) {
      run.step();
      long step = run.steps();
      while (!ahead.isEmpty() && ahead.element().step() <= step) {
        Crash crash = ahead.remove();
        crash(crash, step);
        starts.add(step + crash.downSteps());
      }
      start(step);
      boolean calms = step == CrashSchedule.CALM_AFTER;
      if (calms) {
        run.calm();
      }
      free(calms ? Long.MAX_VALUE : step);
      if (run.overdue()) {
        throw new AssertionError(
            "Not at the end after %d steps: %s; failed: %s"
                .formatted(step, cluster.state(), cluster.failures()));
      }
    }
  }

  private void free(long step) {
    full.entrySet()
        .removeIf(each -> {
          boolean due = each.getValue() <= step;
          if (due) {
            each.getKey().free();
          }
          return due;
        });
  }

  private void start(long step) {
    boolean due = step % LOOK_STEPS == 0 && starts.isEmpty();
    if (!starts.isEmpty() && starts.element() <= step) {
      starts.remove();
      due = true;
    }
    if (nextShape >= 0) {
      if (cluster.allStand()) {
        cluster.reshape(
            1 + nextShape % MOST_CONTAINERS,
            1 + nextShape / MOST_CONTAINERS % MOST_WORKERS,
            nextShape % 2 == 0);
        nextShape = -1;
        cluster.startAll();
      } else if (step % LOOK_STEPS == 0) {
        cluster.stopAll(); // one that was replaced since then was not asked
      }
    } else if (due) {
      cluster.startAll();
    }
  }

  private void crash(Crash crash, long step) {
    int index = crash.container() % cluster.size();
    Container container = cluster.container(index);
    switch (crash.kind()) {
      case KILLED -> container.crash(false, false);
      case POWER_LOST -> container.crash(true, false);
      case KILLED_IN_DISK -> container.host().dieAfter(crash.amount());
      case REPLACED ->
          cluster.replace(index, step + (long) crash.amount() * CrashSchedule.REPLACED_STEPS);
      case STARTED_TWICE -> startTwice(index, step, crash.amount() % 2 == 0);
      case STOPPED -> container.stop();
      case REDISTRIBUTED -> {
        nextShape = crash.amount();
        cluster.stopAll();
      }
      case ALL_KILLED -> killAll();
      case DISK_FAILS -> container.host().failNext(crash.amount());
      case DISK_FULL -> {
        container.host().fill((crash.amount() - 1) * CrashSchedule.FULL_BYTES);
        full.put(container.host(), step + (long) crash.downSteps() * CrashSchedule.FULL_STEPS);
      }
      case DISK_WORN -> container.host().wear(new Seed(step * 100 + crash.amount()));
      case CLOCK_SET -> container.clock(Duration.ofHours(24L * crash.amount() - 250));
    }
  }

  private void killAll() {
    for (int i = 0; i < cluster.size(); i++) {
      cluster.container(i).crash(false, false);
    }
  }

  private void startTwice(int index, long step, boolean sameHost) {
    if (!sameHost) {
      cluster.replace(index, step);
      return;
    }
    Container container = cluster.container(index);
    if (container.engine() != null && !container.host().died()) {
      try (Disks _ = container.host().mount()) {
        throw new AssertionError("Two processes got the disks of container " + index + ".");
      } catch (DiskException e) {
        if (e.kind() != DiskException.Kind.IN_USE) {
          throw e;
        }
      }
    }
  }
}
