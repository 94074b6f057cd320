package dev.millrace.internal.engine.chain;

import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Sink;
import dev.millrace.internal.engine.calls.Gates;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Makes the chains of a plan's tasks. The code of a run is made once for all of them, and for the
/// chains that begin again when a task goes back: it is warm then. It is gone with this object.
/// Thread-safe.
public final class Chains {
  private final Plan plan;
  private final Function<String, SinkTopic> sinks;
  private final Chosen chosen;
  private final Clock clock;
  private final Gates gates = new Gates();
  private final Measured.Numbers numbers;

  /// By the number of a run's first node.
  private final Map<Integer, RunStep.Loop> loops = new HashMap<>();

  /// Finds the topics that records choose where a sink is several.
  @FunctionalInterface
  public interface Chosen {
    /// What a topic takes. May wait for the log.
    ///
    /// @param topics of which it is one
    /// @throws dev.millrace.api.serde.SerdeException if nothing can be written there
    SinkTopic find(LogTopics<? extends Sink<?, ?>> topics, String topic);
  }

  /// @param sinks what the topic of a sink takes
  public Chains(Plan plan, Function<String, SinkTopic> sinks, Chosen chosen, Clock clock) {
    this.plan = plan;
    this.sinks = sinks;
    this.chosen = chosen;
    this.clock = clock;
    numbers = new Measured.Numbers(plan);
  }

  public Plan plan() {
    return plan;
  }

  /// What the topic of a sink takes.
  SinkTopic sink(String topic) {
    return sinks.apply(topic);
  }

  /// What a topic takes that a record has chosen of several.
  SinkTopic chosen(LogTopics<? extends Sink<?, ?>> topics, String topic) {
    return chosen.find(topics, topic);
  }

  Clock clock() {
    return clock;
  }

  Gates gates() {
    return gates;
  }

  /// The operators of all stages, in the plan's order.
  public List<Measured> operators() {
    return numbers.all();
  }

  Measured.Numbers numbers() {
    return numbers;
  }

  /// Makes the chains of one worker's tasks.
  public OfWorker ofWorker() {
    return new OfWorker(this, new Probe(numbers.all().size()));
  }

  /// What makes the chains of a worker's tasks.
  ///
  /// @param probe shows what they do
  public record OfWorker(Chains chains, Probe probe) {

    /// A new chain.
    ///
    /// @param exchanges where what goes into an exchange leaves
    public Chain chain(Plan.TaskId task, Outbox outbox, Function<Plan.Exchange, Outbox> exchanges) {
      return new ChainCompiler(this, task, outbox, exchanges).compile();
    }

    public Plan plan() {
      return chains.plan();
    }

    /// What lets the calls of the process begin.
    public Gates gates() {
      return chains.gates();
    }
  }

  synchronized RunStep.Loop loop(Run run) {
    return loops.computeIfAbsent(run.first().id(), _ -> LoopMaker.make(run));
  }
}
