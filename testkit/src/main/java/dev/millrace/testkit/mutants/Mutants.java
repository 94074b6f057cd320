package dev.millrace.testkit.mutants;

import java.util.List;
import java.util.stream.Stream;

/// The list of all planted bugs.
public final class Mutants {
  private Mutants() {}

  /// Returns all planted bugs.
  public static List<Mutant> all() {
    return Stream.of(
            CommitMutants.ofTheProtocol(),
            CommitMutants.ofWhatIsSent(),
            ClaimMutants.ofClaims(),
            ClaimMutants.ofSuccessions(),
            ClaimMutants.ofMoves(),
            SplitMutants.ofShares(),
            SplitMutants.ofTheNewTask(),
            SplitMutants.ofTheOldTask(),
            StateMutants.ofTheLayers(),
            StateMutants.ofTheDisk(),
            TaskMutants.ofTasks(),
            TaskMutants.ofBadRecords(),
            TaskMutants.ofUndoing(),
            TaskMutants.ofBadResults(),
            TaskMutants.ofCommitRecords(),
            TaskMutants.ofInputs(),
            TaskMutants.ofPartitions(),
            TaskMutants.ofAdvances(),
            DirectMutants.ofBarriers(),
            DirectMutants.ofQueues(),
            OperatorMutants.ofOperators(),
            OperatorMutants.ofRankings(),
            OperatorMutants.ofWindows(),
            OperatorMutants.ofTime(),
            OperatorMutants.ofIdleness(),
            OperatorMutants.ofCombining(),
            OperatorMutants.ofCountedWindows(),
            OperatorMutants.ofClockTimers(),
            OperatorMutants.ofCalls(),
            OperatorMutants.ofSinks(),
            ViewMutants.all(),
            ResetMutants.all(),
            VersionMutants.all(),
            RolloutMutants.all(),
            ClusterMutants.ofMembers(),
            ClusterMutants.ofLeaders())
        .flatMap(List::stream)
        .toList();
  }
}
