package dev.millrace.testkit.claims;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.claims.ClaimModel.Bug;
import dev.millrace.testkit.claims.ClaimModel.Decision;
import dev.millrace.testkit.claims.ClaimModel.Limits;
import dev.millrace.testkit.claims.ClaimModel.NotSeenException;
import dev.millrace.testkit.claims.ClaimModel.State;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// No two members commit for a task without the later one having read what the earlier one wrote:
/// in every state that they can come to.
class ClaimModelTest {
  private static final int A = 0;
  private static final int B = 1;
  private static final int C = 2;

  private static Decision byForce(int owner) {
    return new Decision(owner, false);
  }

  private static Decision planned(int owner) {
    return new Decision(owner, true);
  }

  /// Visits all states.
  ///
  /// @return how many there are
  private static int visit(ClaimModel model) {
    Set<State> known = new HashSet<>();
    Queue<State> open = new ArrayDeque<>();
    State start = model.start();
    known.add(start);
    open.add(start);
    for (State state = open.poll(); state != null; state = open.poll()) {
      for (State next : state.next()) {
        if (known.add(next)) {
          open.add(next);
        }
      }
    }
    return known.size();
  }

  /// The third member takes over by force from the second one, which waits for the first.
  private static final List<Decision> MOVES = List.of(byForce(A), planned(B), byForce(C));

  /// The first one comes back while the second one takes over, before the third one does.
  private static final List<Decision> RETURNS =
      List.of(byForce(A), byForce(B), byForce(A), byForce(C));

  private static int visit(Limits limits, List<Decision> decisions, Bug bug) {
    return visit(new ClaimModel(limits, decisions, bug));
  }

  /// Visits all states, which have to be many: else next to nothing could happen.
  private static void requireVisits(int least, Limits limits, List<Decision> moves, Bug bug) {
    int visited = visit(limits, moves, bug);
    assertTrue(visited > least, visited + " states");
  }

  @Test
  void whoeverCommitsHasReadAllCommitsBefore() {
    requireVisits(50_000, new Limits(2, 2, 2, 6), MOVES, Bug.NONE);
    requireVisits(100_000, new Limits(3, 2, 0, 6), RETURNS, Bug.NONE);
  }

  @Test
  @Tag("thorough")
  void whoeverCommitsOfThreeHasReadAllCommitsBefore() {
    requireVisits(1_000_000, new Limits(3, 2, 1, 6), MOVES, Bug.NONE);
    requireVisits(1_000_000, new Limits(3, 3, 0, 7), RETURNS, Bug.NONE);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "IGNORES_HIGHER_CLAIMS", "WITHDRAWS_ALL_CLAIMS_OF_A_MEMBER"})
  void withoutARuleSomebodyCommitsWithoutHavingRead(Bug bug) {
    Limits limits = new Limits(3, 2, 1, 6);
    assertThrows(NotSeenException.class, () -> visit(limits, MOVES, bug));
  }

  @Test
  @Tag("thorough")
  void aMemberWithdrawsNoClaimThatItHasNotRead() {
    Limits limits = new Limits(3, 3, 0, 7);
    assertThrows(
        NotSeenException.class, () -> visit(limits, RETURNS, Bug.WITHDRAWS_ALL_CLAIMS_OF_A_MEMBER));
  }

  /// Numbers of claims keep a late member from displacing the right one; claims and fencing are
  /// what keeps two from writing.
  @Test
  void higherClaimsAreNotNeededForSafety() {
    requireVisits(50_000, new Limits(2, 2, 2, 6), MOVES, Bug.IGNORES_HIGHER_CLAIMS);
  }
}
