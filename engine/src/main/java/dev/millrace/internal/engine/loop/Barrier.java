package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.commit.Order;
import dev.millrace.internal.engine.exchange.DirectPort;
import dev.millrace.internal.engine.input.DirectInputs;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The way of a commit's barrier through the tasks of a worker: from the order to commit until all
/// stand at it.
///
/// It goes from stage to stage, as the records do. A task stands at the barrier when it has
/// processed all that was sent to it through memory before the commit; then it passes the barrier
/// on, behind what it has sent itself. Until all tasks of the worker stand there they take nothing
/// from other inputs. Where exchanges are topics they all stand there at once.
final class Barrier {
  private final WorkerTasks tasks;
  private final DirectInputs inputs;
  private final DirectPort port;
  private final Clock clock;

  /// In an order in which each stands after those that feed it.
  private final List<Plan.Stage> stages;

  /// Null if no barrier is on its way.
  private Order.@Nullable Collect order;

  private long millis;
  private long beganNanos;

  /// How many stages stand at it, in their order.
  private int passed;

  Barrier(WorkerContext context, WorkerTasks tasks, DirectInputs inputs) {
    this.tasks = tasks;
    this.inputs = inputs;
    port = context.direct();
    clock = context.clock();
    stages = context.plan().stages();
  }

  void begin(Order.Collect newOrder) {
    order = newOrder;
    millis = clock.millis();
    beganNanos = clock.nanos();
    passed = 0;
    port.beginCommit();
  }

  /// Moves on, as far as the tasks have come.
  ///
  /// @return whether it has moved
  boolean step() {
    int before = passed;
    while (passed < stages.size() && inputs.atBarrier(stages.get(passed).index())) {
      int stage = stages.get(passed).index();
      // Nobody is told anything before what lies in the topic is processed.
      if (port.isOpen(stage)) {
        announce(stage);
      }
      port.barrier(stage);
      passed++;
    }
    return passed > before;
  }

  private void announce(int stage) {
    tasks.each(task -> task.id().stage() == stage, task -> task.announce(millis));
  }

  /// The order, if all tasks stand at the barrier; it is over then.
  Order.@Nullable Collect arrived() {
    if (passed < stages.size()) {
      return null;
    }
    Order.Collect arrived = order;
    order = null;
    port.passBarrier(clock.nanos() - beganNanos);
    return arrived;
  }

  /// When the order came, in milliseconds since 1970.
  long millis() {
    return millis;
  }

  /// Forgets it.
  void drop() {
    order = null;
  }
}
