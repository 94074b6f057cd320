package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.input.Fetcher;
import dev.millrace.internal.engine.metrics.Activity;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long a worker waits for records where there is nothing else to do, and what it waits for.
final class IdleWait {
  private static final Duration SHORTLY = Duration.ofMillis(1);

  private final WorkerContext context;
  private final WorkerTasks tasks;
  private final Fetcher fetcher;
  private final AlignedInputs aligned;
  private final @Nullable CommitGroup led;

  IdleWait(
      WorkerContext context,
      WorkerTasks tasks,
      Fetcher fetcher,
      AlignedInputs aligned,
      @Nullable CommitGroup led) {
    this.context = context;
    this.tasks = tasks;
    this.fetcher = fetcher;
    this.aligned = aligned;
    this.led = led;
  }

  /// Takes over the next batch, or waits for it.
  ///
  /// @param atMost how long, if nothing else is to be done before long
  /// @param soon whether something will be
  /// @param reason for the wait
  boolean fetch(Duration atMost, boolean soon, Activity reason) {
    boolean shortly = soon || context.direct().lacksRoom() || aligned.holds() || tasks.isWaiting();
    Duration most = shortly ? SHORTLY : atMost;
    if (led != null && led.patience().compareTo(most) < 0) {
      most = led.patience();
    }
    Duration wait = untilDue(most.compareTo(atMost) < 0 ? most : atMost);
    if (wait.isZero()) {
      context.probe().turnTo(Activity.FETCH);
      return fetcher.fetch(wait);
    }
    context.probe().turnTo(reason);
    boolean nothing = context.direct().waits() && (led == null || led.waits());
    boolean fetched = fetcher.fetch(nothing ? wait : Duration.ZERO);
    context.direct().waited();
    if (led != null) {
      led.waited();
    }
    return fetched;
  }

  /// Returns how long to wait at most, as something is due by the clock then.
  private Duration untilDue(Duration most) {
    if (most.isZero()) {
      return most;
    }
    long millis = Long.MAX_VALUE;
    for (Task task : tasks.all()) {
      millis = Math.min(millis, task.advancing().untilDueMillis());
    }
    // What is due and cannot be done now waits for something else.
    return millis < most.toMillis() ? Duration.ofMillis(Math.max(1, millis)) : most;
  }

  /// What keeps the worker from its records while nothing is to be done.
  ///
  /// @param commits whether a commit is under way, or wanted by the state's memory
  /// @param room whether there is room for what leaves
  Activity reason(boolean commits, boolean room) {
    if (commits) {
      return Activity.WAIT_COMMIT;
    }
    if (!room || context.direct().lacksRoom()) {
      return Activity.WAIT_ROOM;
    }
    return tasks.isWaiting() ? Activity.WAIT_ANSWERS : Activity.WAIT_INPUT;
  }
}
