package dev.millrace.testkit.sim;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.HeldTask;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.ShareOfState;
import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Decides at random which container has which task, and tells those concerned, late or never. Who
/// starts is told what was decided last.
///
/// What it believes of the containers may be wrong. A task that nobody owns for a while is given to
/// somebody else by force; so all are owned in the end.
final class Mover {
  private static final double MOVES = 0.01;
  private static final double SPLITS = 0.001;
  private static final int MOST_SPLITS = 3;
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

  private enum What {
    TAKE,
    GIVE,
    SPLIT
  }

  /// @param task the number of a task; of one that is split off if its parent is to be split
  private record Message(long step, String to, int task, What what) {}

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
      Plan.TaskId task = seed.pick(cluster.plan().tasks());
      if (decisions.containsKey(task.number())) {
        move(task.number(), step);
      }
    }
    if (!calm && parents().size() < MOST_SPLITS && seed.chance(SPLITS)) {
      Plan.TaskId task = seed.pick(cluster.plan().tasks());
      if (!task.isPart()
          && ShareOfState.unsplittable(cluster.plan().stage(task.stage())).isEmpty()) {
        cluster.addPart(task.number());
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
    if (message.what() == What.SPLIT) {
      engine.split(Objects.requireNonNull(parents().get(message.task())), message.task());
    } else if (message.what() == What.GIVE) {
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
    send(step, before.owner(), task, What.GIVE);
  }

  private void decide(int task, String owner, boolean force, long step) {
    decisions.put(task, new Decision(++version, owner, force, step));
    send(step, owner, task, What.TAKE);
  }

  private SortedMap<Integer, Integer> parents() {
    return cluster.plan().splits().parents();
  }

  private void send(long step, String to, int task, What what) {
    if (!seed.chance(LOST)) {
      underWay.add(new Message(step + seed.below(LATEST), to, task, what));
    }
  }

  /// Gives a task to somebody else that has no owner for long, or never had one.
  private void lookAfter(int task, long step) {
    Decision now = decisions.get(task);
    if (now == null) {
      decide(task, seed.pick(cluster.inPlace()).process(), seed.coin(), step);
      return;
    }
    Integer parent = parents().get(task);
    Decision ofParent = parent == null ? null : decisions.get(parent);
    if (ofParent != null && !isOwned(task, now.owner())) {
      send(step, ofParent.owner(), task, What.SPLIT);
    }
    if (!isOwned(task, now.owner()) && step - now.sinceStep() > PATIENCE) {
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

  /// Where the tasks are that are split off, for messages.
  String state() {
    StringBuilder text = new StringBuilder();
    parents()
        .forEach((part, parent) -> {
          Decision now = decisions.get(part);
          text.append("\ntask ")
              .append(part)
              .append(" of ")
              .append(parent)
              .append(": ")
              .append(now);
          Engine engine = now == null ? null : engine(now.owner());
          if (engine != null) {
            text.append(' ').append(engine.held().get(part)).append(" awaits birth ");
            text.append(Objects.requireNonNull(engine.follower()).awaitingBirth());
          }
          text.append(" parent ").append(decisions.get(parent));
          Decision of = decisions.get(parent);
          Engine other = of == null ? null : engine(of.owner());
          if (other != null) {
            text.append(' ').append(other.held().get(parent));
          }
        });
    return text.toString();
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
