package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.failure.CurrentRecords;
import dev.millrace.internal.engine.failure.PieceUndo;
import dev.millrace.internal.engine.input.SliceLength;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.metrics.CommitLatency;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.FarAhead;
import dev.millrace.internal.engine.time.InputTime;

/// Sends records of a task's inputs through its operators: a slice in a step of the worker, in one
/// piece as long as nothing fails, and passes over those that are known to be bad.
final class SliceProcessor {
  private final WorkerContext context;
  private final Plan.TaskId task;
  private final TaskMetrics metrics;
  private final CommitLatency latency;
  private final PieceUndo undoing;
  private final SliceLength slice = new SliceLength();
  private final CurrentRecords atWork = new CurrentRecords();

  SliceProcessor(
      WorkerContext context,
      Plan.TaskId task,
      TaskMetrics metrics,
      CommitLatency latency,
      PieceUndo undoing) {
    this.context = context;
    this.task = task;
    this.metrics = metrics;
    this.latency = latency;
    this.undoing = undoing;
  }

  /// The records at work.
  CurrentRecords atWork() {
    return atWork;
  }

  /// Processes the next records of an input.
  ///
  /// @param now the time of day, in milliseconds since 1970 (UTC)
  /// @return how many
  int slice(TaskInput input, Chain chain, long now) {
    long begun = context.clock().nanos();
    int from = input.next();
    boolean alone = context.badRecords().isSuspect(task.stage(), input, from);
    int end = input.beginSlice(alone ? 1 : slice.records());
    int to = from;
    do {
      to = piece(input, chain, to, end, now);
    } while (to < end);
    long took = context.clock().nanos() - begun;
    slice.took(to - from, took);
    metrics.addBusy(took);
    return to - from;
  }

  /// @return behind the last record of the piece
  private int piece(TaskInput input, Chain chain, int from, int end, long now) {
    int skipped = context.badRecords().first(task.stage(), input, from, end);
    int to = skipped < 0 ? end : skipped;
    long latest = InputTime.UNKNOWN;
    if (skipped == from) {
      context.badRecords().passOver(input, task, now, context.outbox(), undoing.counts());
      to = from + 1;
    } else if (to > from) {
      to = Math.min(to, from + undoing.records());
      atWork.on(input, from, to);
      undoing.begin(chain);
      latest = process(input, chain, from, to, now);
      undoing.went(to - from);
    }
    if (!input.isExchange()) {
      latency.read(input.head(), from, to);
    }
    input.advance(to, latest, context.plan());
    metrics.addProcessed(to - from);
    atWork.done();
    return to;
  }

  private long process(TaskInput input, Chain chain, int from, int to, long now) {
    FarAhead farAhead = input.clock().begin(now);
    long latest =
        chain.process(
            input.head(),
            from,
            to,
            input.isExchange(),
            input.keys(),
            farAhead,
            input.clock().latest());
    if (farAhead != null && farAhead.found() > 0) {
      metrics.addFarAhead(farAhead.found());
    }
    return latest;
  }
}
