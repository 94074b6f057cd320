package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.calls.Calls;
import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.chain.Chains;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.chain.Probe;
import dev.millrace.internal.engine.commit.JobIdentity;
import dev.millrace.internal.engine.exchange.DirectPort;
import dev.millrace.internal.engine.failure.BadRecords;
import dev.millrace.internal.engine.failure.BadResults;
import dev.millrace.internal.engine.input.ReadExchanges;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.spi.Clock;
import dev.millrace.spi.settings.Guarantee;
import java.util.Objects;

/// What the tasks of one worker share.
///
/// @param chains those of the job's plan, as this worker's probe sees them
/// @param direct what goes through memory of the container
/// @param place where this worker stands in the job
/// @param transactionalId of the writer of its commit group
/// @param calls asks other systems
record WorkerContext(
    Chains.OfWorker chains,
    EngineSettings settings,
    JobIdentity place,
    String transactionalId,
    Clock clock,
    Sources sources,
    Outbox outbox,
    DirectPort direct,
    BadRecords badRecords,
    BadResults badResults,
    ReadExchanges readExchanges,
    Calls calls) {

  /// @param wakeup wakes the worker
  static WorkerContext of(
      Assignment assignment,
      Surroundings surroundings,
      Outbox outbox,
      DirectPort direct,
      ReadExchanges readExchanges,
      Runnable wakeup) {
    Chains.OfWorker chains = assignment.chains();
    EngineSettings settings = assignment.settings();
    Clock clock = surroundings.clock();
    return new WorkerContext(
        chains,
        settings,
        assignment.identity(),
        assignment.transactionalId(),
        clock,
        surroundings.sources(),
        outbox,
        direct,
        new BadRecords(settings.errors(), chains.plan().broadcasts()),
        new BadResults(settings.errors(), clock),
        readExchanges,
        new Calls(surroundings.calls(), clock, chains.gates(), wakeup));
  }

  Plan plan() {
    return chains.plan();
  }

  /// Shows what the worker does.
  Probe probe() {
    return chains.probe();
  }

  /// A new chain of a task.
  Chain chain(Plan.TaskId task) {
    return chains.chain(task, outbox, this::outboxOf);
  }

  /// Whether results are written outside the transaction.
  boolean atLeastOnce() {
    return settings.commit().guarantee() == Guarantee.AT_LEAST_ONCE;
  }

  /// Where what goes into an exchange leaves.
  Outbox outboxOf(Plan.Exchange exchange) {
    return Objects.requireNonNullElse(direct.outbox(exchange), outbox);
  }
}
