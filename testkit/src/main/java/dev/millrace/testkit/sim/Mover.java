package dev.millrace.testkit.sim;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.HeldTask;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Decides at random which container has which task, and tells those concerned, late or never. Who
/// starts is told what was decided last.
///
/// What it believes of the containers may be wrong. A task that nobody owns for a while is given to
/// somebody else by force; so all are owned in the end.
final class Mover {
  private static final double MOVES = 0.01;
  private static final double LOST = 0.1;
  private static final int LATEST = 100;
  private static final int LOOK_STEPS = 10;

  /// For how many steps a task may be without an owner.
  private static final int PATIENCE = 1_500;

  private final Cluster cluster;
  private final Seed seed;
  private final Map<Integer, Decision> decisions = new LinkedHashMap<>();
  private final List<Message> underWay = new ArrayList<>();
  private long version;
  private boolean calm;

  /// @param owner the name of a container
  private record Decision(long version, String owner, boolean force, long sinceStep) {}

  /// @param task the number of a task
  private record Message(long step, String to, int task, boolean takes) {}

  Mover(Cluster cluster, Seed seed) {
    this.cluster = cluster;
    this.seed = seed;
  }

  /// Leaves tasks where they are from now on, if they are anywhere.
  void calm() {
    calm = true;
  }

  /// Decides and tells, at a step of the simulation.
  void step(long step) {
    deliver(step);
    calm |= step > CrashSchedule.CALM_AFTER;
    if (!calm && seed.chance(MOVES)) {
      int task = seed.below(cluster.plan().slots());
      if (decisions.containsKey(task)) {
        move(task, step);
      }
    }
    if (step % LOOK_STEPS == 0) {
      for (Plan.TaskId task : cluster.plan().tasks()) {
        lookAfter(task.number(), step);
      }
    }
  }

  private void deliver(long step) {
    for (Iterator<Message> messages = underWay.iterator(); messages.hasNext(); ) {
      Message message = messages.next();
      if (message.step() <= step) {
        messages.remove();
        tell(message);
      }
    }
  }

  private void tell(Message message) {
    Engine engine = engine(message.to());
    Decision now = Objects.requireNonNull(decisions.get(message.task()));
    if (engine == null) {
      return;
    }
    if (!message.takes()) {
      engine.give(message.task());
    } else if (now.owner().equals(message.to())) {
      engine.take(message.task(), now.version(), now.force());
    }
  }

  private @Nullable Engine engine(String process) {
    for (Container container : cluster.everybody()) {
      if (container.process().equals(process)) {
        return container.engine();
      }
    }
    return null;
  }

  private void move(int task, long step) {
    Decision before = Objects.requireNonNull(decisions.get(task));
    Container to = seed.pick(cluster.inPlace());
    if (to.process().equals(before.owner())) {
      return;
    }
    decide(task, to.process(), engine(before.owner()) == null || seed.chance(0.3), step);
    send(step, before.owner(), task, false);
  }

  private void decide(int task, String owner, boolean force, long step) {
    decisions.put(task, new Decision(++version, owner, force, step));
    send(step, owner, task, true);
  }

  private void send(long step, String to, int task, boolean takes) {
    if (!seed.chance(LOST)) {
      underWay.add(new Message(step + seed.below(LATEST), to, task, takes));
    }
  }

  /// Gives a task to somebody else that has no owner for long, or never had one.
  private void lookAfter(int task, long step) {
    Decision now = decisions.get(task);
    if (now == null) {
      decide(task, seed.pick(cluster.inPlace()).process(), seed.coin(), step);
    } else if (!isOwned(task, now.owner()) && step - now.sinceStep() > PATIENCE) {
      decide(task, seed.pick(cluster.inPlace()).process(), true, step);
    } else if (isOwned(task, now.owner())) {
      decisions.put(task, new Decision(now.version(), now.owner(), now.force(), step));
    }
  }

  private boolean isOwned(int task, String owner) {
    Engine engine = engine(owner);
    HeldTask held = engine == null ? null : engine.held().get(task);
    return held != null && held.stage() == HeldTask.Stage.OWNED;
  }

  /// Tells a container that has started which tasks it has.
  void started(Container container) {
    Engine engine = container.engine();
    if (engine != null) {
      decisions.forEach((task, decision) -> {
        if (decision.owner().equals(container.process())) {
          engine.take(task, decision.version(), decision.force());
        }
      });
    }
  }
}
