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
            "A task takes part in a commit before the barrier has arrived from all of its senders.",
            EXCHANGE + "DirectPort",
            "atBarrier",
            new Redirect("List", "size", "oneLess"),
            "direct-sums",
            2),
        new Mutant(
            "queued-records-not-processed-at-the-barrier",
            "A commit does not wait for records that have arrived in an inbox.",
            INPUT + "DirectInputs",
            "atBarrier",
            new SkipCalls("TaskInput", "hasWaiting"),
            "direct-sums",
            2),
        new Mutant(
            "barrier-before-the-last-batches",
            "Batches that were sent before the barrier are handed over after it.",
            EXCHANGE + "DirectPort",
            "barrier",
            new SkipCalls("DirectPort", "handOverAll"),
            "direct-sums",
            7),
        new Mutant(
            "records-after-the-barrier-included",
            "A commit contains records that were sent to its tasks after the barrier.",
            EXCHANGE + "Lane",
            "goesOn",
            new DoNothing(),
            "direct-topologies",
            13),
        new Mutant(
            "inputs-read-on-the-way-to-the-barrier",
            "Tasks read inputs after they have sent the barrier and before they are frozen.",
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
            "Batches that a worker had for other workers at a roll-back are handed over after it.",
            EXCHANGE + "DirectPort",
            "clear",
            new SkipCalls("Outbox", "clear"),
            "direct-topologies",
            13),
        new Mutant(
            "queues-outlive-a-roll-back",
            "Batches that were under way between workers at a roll-back are processed after it.",
            LOOP + "Worker",
            "rollBack",
            new SkipCalls("DirectPort", "rollBack"),
            "direct-topologies",
            12),
        new Mutant(
            "topic-overtaken",
            "Records are exchanged through memory while earlier ones are still in the topic.",
            INPUT + "DirectInputs",
            "takes",
            new DoNothing(),
            "direct-sums",
            7),
        new Mutant(
            "topic-forgotten",
            "Records that are left in the topic are not read when the exchange has become direct.",
            INPUT + "TaskInputs",
            "restore",
            new Redirect("Offsets", "end", "nothing"),
            "direct-sums",
            28));
  }
}
