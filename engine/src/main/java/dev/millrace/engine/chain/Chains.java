package dev.millrace.engine.chain;

import dev.millrace.engine.calls.Gates;
import dev.millrace.engine.plan.Plan;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// Makes the chains of a plan's tasks. The code of a run is made once for all of them, and for the
/// chains that begin again when a task goes back: it is warm then. It is gone with this object.
/// Thread-safe.
public final class Chains {
  private final Plan plan;
  private final Gates gates = new Gates();

  /// By the number of a run's first node.
  private final Map<Integer, RunStep.Loop> loops = new HashMap<>();

  public Chains(Plan plan) {
    this.plan = plan;
  }

  public Plan plan() {
    return plan;
  }

  /// What lets the calls of the process begin.
  public Gates gates() {
    return gates;
  }

  /// A new chain.
  ///
  /// @param exchanges where what goes into an exchange leaves
  /// @param partitionsOfSinks how many partitions the topic of a sink has
  public Chain chain(
      Plan.TaskId task,
      Outbox outbox,
      Function<Plan.Exchange, Outbox> exchanges,
      ToIntFunction<String> partitionsOfSinks) {
    return new ChainCompiler(this, task, outbox, exchanges, partitionsOfSinks).compile();
  }

  synchronized RunStep.Loop loop(Run run) {
    return loops.computeIfAbsent(run.first().id(), _ -> LoopMaker.make(run));
  }
}
