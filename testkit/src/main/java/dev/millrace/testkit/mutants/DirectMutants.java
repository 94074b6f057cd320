package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.List;

/// The planted bugs of exchanges that go through memory.
final class DirectMutants {
  private static final String EXCHANGE = "dev.millrace.internal.engine.exchange.";
  private static final String INPUT = "dev.millrace.internal.engine.input.";
  private static final String LOOP = "dev.millrace.internal.engine.loop.";

  private DirectMutants() {}

  /// What goes wrong on the way to a barrier, or behind it.
  static List<Mutant> ofBarriers() {
    return List.of(
        new Mutant(
            "barrier-of-one-queue-not-awaited",
            "A task stands at the barrier before it has come from the last of its senders.",
            EXCHANGE + "DirectPort",
            "atBarrier",
            new Redirect("List", "size", "oneLess"),
            "direct-sums",
            2),
        new Mutant(
            "queued-records-not-processed-at-the-barrier",
            "A commit does not wait for what has come and lies in an inbox.",
            INPUT + "DirectInputs",
            "atBarrier",
            new SkipCalls("TaskInput", "hasWaiting"),
            "direct-sums",
            2),
        new Mutant(
            "barrier-before-the-last-batches",
            "What was sent before the barrier is handed over behind it.",
            EXCHANGE + "DirectPort",
            "barrier",
            new SkipCalls("DirectPort", "handOverAll"),
            "direct-sums",
            7),
        new Mutant(
            "records-behind-the-barrier-taken-in",
            "A commit contains what was sent to its tasks behind the barrier.",
            EXCHANGE + "Lane",
            "goesOn",
            new DoNothing(),
            "direct-topologies",
            2),
        new Mutant(
            "inputs-read-on-the-way-to-the-barrier",
            "Behind the barrier that they have sent, tasks read on before they are frozen.",
            LOOP + "Admission",
            "mayProcess",
            new Redirect("Admission", "isToBarrier", "no"),
            "direct-sums",
            1));
  }

  /// What goes wrong when everything goes back, or between a topic and memory.
  static List<Mutant> ofQueues() {
    return List.of(
        new Mutant(
            "unsent-batches-outlive-a-roll-back",
            "What a worker had for others when all went back is handed over behind that.",
            EXCHANGE + "DirectPort",
            "clear",
            new SkipCalls("Outbox", "clear"),
            "direct-topologies",
            44),
        new Mutant(
            "queues-outlive-a-roll-back",
            "What was under way between workers when all went back is processed behind that.",
            LOOP + "Worker",
            "rollBack",
            new SkipCalls("DirectPort", "rollBack"),
            "direct-topologies",
            12),
        new Mutant(
            "topic-overtaken",
            "Records go through memory while earlier ones are still in the topic.",
            INPUT + "DirectInputs",
            "takes",
            new DoNothing(),
            "direct-sums",
            124),
        new Mutant(
            "topic-forgotten",
            "What was left in the topic is not read when the exchange has become direct.",
            INPUT + "TaskInputs",
            "restore",
            new Redirect("Offsets", "end", "nothing"),
            "direct-sums",
            124));
  }
}
