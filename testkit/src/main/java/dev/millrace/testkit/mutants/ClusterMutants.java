package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.DoNothing;
import java.util.List;

/// The planted bugs of members and their coordinator.
final class ClusterMutants {
  private static final String CLUSTER = "dev.millrace.internal.cluster.";
  private static final String SCENARIO = "cluster";

  private ClusterMutants() {}

  /// What a member does wrong.
  static List<Mutant> ofMembers() {
    return List.of(
        new Mutant(
            "member-lets-nothing-go",
            "A member keeps what it was told to give up.",
            CLUSTER + "Member",
            "letGo",
            new DoNothing(),
            SCENARIO,
            21),
        new Mutant(
            "goodbye-not-said",
            "A member that goes does not say so, and keeps what it has.",
            CLUSTER + "Member",
            "sayGoodbye",
            new DoNothing(),
            SCENARIO,
            14),
        new Mutant(
            "split-not-obeyed",
            "The owner of a bundle does not split it when it is told to.",
            CLUSTER + "Member",
            "split",
            new DoNothing(),
            SCENARIO,
            0),
        new Mutant(
            "sign-not-said-again",
            "A sign that was not written is not written again.",
            CLUSTER + "live.SignWriter",
            "later",
            new DoNothing(),
            SCENARIO,
            7));
  }

  /// What a leader decides wrong, or not at all.
  static List<Mutant> ofLeaders() {
    return List.of(
        new Mutant(
            "dead-are-taken-to-live",
            "A member that is silent is held to live for ever.",
            CLUSTER + "live.Signs",
            "isLiving",
            new DoNothing(),
            SCENARIO,
            2),
        new Mutant(
            "term-not-begun",
            "A leader waits for ever before its term.",
            CLUSTER + "decide.Lead",
            "readAll",
            new DoNothing(),
            SCENARIO,
            1),
        new Mutant(
            "orphans-stay",
            "Bundles whose owner is gone get no other.",
            CLUSTER + "place.Successors",
            "orphans",
            new DoNothing(),
            SCENARIO,
            1));
  }
}
