package dev.millrace.internal.engine.output;

import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.ControlRecord;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.spi.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a task tells the tasks behind its exchanges of its event time.
public final class Announcements {
  private final Plan plan;
  private final Plan.TaskId task;
  private final Function<Plan.Exchange, Outbox> outboxes;
  private final List<Plan.Exchange> exchanges = new ArrayList<>();
  private long watermark = InputTime.UNKNOWN;
  private boolean idle;

  /// Whether it is told although nothing is new.
  private boolean again;

  /// @param outboxes where what goes into an exchange leaves
  public Announcements(Plan plan, Plan.TaskId task, Function<Plan.Exchange, Outbox> outboxes) {
    this.plan = plan;
    this.outboxes = outboxes;
    this.task = task;
    for (Plan.Exchange exchange : plan.exchanges()) {
      if (exchange.fromStage() == task.stage()) {
        exchanges.add(exchange);
      }
    }
  }

  /// @param from null if there was no commit
  public void restore(@Nullable CommitRecord from) {
    watermark = from == null ? InputTime.UNKNOWN : from.announced();
    idle = from != null && from.announcedIdle();
    boolean ofAnotherPlan = from != null && from.planVersion() != plan.version();
    again = (idle || (ofAnotherPlan && watermark != InputTime.UNKNOWN)) && !exchanges.isEmpty();
  }

  /// Whether it is to be told once more: that all inputs are idle, or are not any more, as tasks
  /// that were started as well wait for that; or how far event time is, as an exchange may be new.
  public boolean areDue() {
    return again;
  }

  /// The watermark told last.
  public long watermark() {
    return watermark;
  }

  /// Whether it was told last that all inputs are idle.
  public boolean idle() {
    return idle;
  }

  /// Tells every partition of every exchange what is new.
  ///
  /// @param millis since 1970, by the writer's clock
  /// @return whether anything was
  public boolean make(long newWatermark, boolean isIdle, long millis) {
    if (newWatermark <= watermark && isIdle == idle && !again) {
      return false;
    }
    again = false;
    watermark = Math.max(watermark, newWatermark);
    idle = isIdle;
    tell(task, idle, millis);
    return true;
  }

  /// Tells for a task that is split off from this one that it is as far as this one, so that nobody
  /// goes on without it.
  ///
  /// @param millis since 1970, by the writer's clock
  public void makeFor(Plan.TaskId part, long millis) {
    tell(part, false, millis);
  }

  private void tell(Plan.TaskId of, boolean isIdle, long millis) {
    int partitions = plan.stage(task.stage()).partitions();
    int index = plan.indexInStage(of);
    for (Plan.Exchange exchange : exchanges) {
      long there = InputTime.delayed(watermark, exchange.node().input().delayMillis());
      ControlRecord control =
          new ControlRecord(exchange.format(), index, partitions, there, isIdle);
      Outbox outbox = outboxes.apply(exchange);
      for (int to = 0; to < exchange.partitions(); to++) {
        RecordBatch batch = outbox.append(exchange.topic(), to, millis);
        int start = batch.data().length();
        control.write(batch.data());
        batch.endValue(start);
      }
    }
  }
}
