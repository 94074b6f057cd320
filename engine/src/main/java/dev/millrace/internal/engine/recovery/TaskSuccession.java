package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.commit.Claim;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.commit.StandingClaims;
import dev.millrace.internal.engine.commit.Succession;
import dev.millrace.spi.Log;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is done, step by step, before a task that was claimed can begin: it is found out who else
/// claims it; they are barred or waited for; nothing in its changelog may be undecided; and it is
/// replayed to the end.
final class TaskSuccession {
  private static final Duration LOOK = Duration.ofMillis(5);

  /// How often it looks for transactions that nobody ends, and how long it waits before.
  private static final Duration HANGING_LOOK = Duration.ofMillis(500);

  /// How long others are waited for until they let go of the task in order.
  private static final Duration LET_GO = Duration.ofSeconds(5);

  enum Result {
    /// Nothing can be done now.
    WAITS,
    MOVED,
    READY,
    /// A later decision gives the task to somebody else.
    DISPLACED
  }

  private enum Phase {
    CLAIMS,
    UNDECIDED,
    REPLAY
  }

  private final Succession succession;
  private final List<Claim> barred = new ArrayList<>();
  private final Set<String> barredIds = new LinkedHashSet<>();
  private Phase phase = Phase.CLAIMS;
  private long goal;
  private long lookNanos;
  private long hangingNanos;
  private boolean hangs;
  private boolean looked;
  private boolean waited;
  private long waitedSinceNanos;

  TaskSuccession(Succession succession) {
    this.succession = succession;
  }

  /// Begins from the beginning.
  void begin() {
    phase = Phase.CLAIMS;
    looked = false;
    hangs = false;
  }

  Claim claim() {
    return succession.claim();
  }

  boolean needsClaims() {
    return phase == Phase.CLAIMS;
  }

  /// Whether it goes on once it knows where the task's changelog ends now.
  boolean needsEnds(DurableState state, long now) {
    if (state.needsBase()) {
      return false;
    }
    boolean asks =
        phase == Phase.UNDECIDED || (phase == Phase.REPLAY && state.changelogPosition() >= goal);
    return asks && (!looked || now - lookNanos >= 0);
  }

  void tell(Succession.Outcome outcome) {
    succession.told().accept(outcome);
  }

  void tellReady() {
    tell(new Succession.Ready(List.copyOf(barred)));
  }

  /// Goes on as far as it can.
  ///
  /// @param claims of the application, which are read by the caller if [#needsClaims]
  /// @param state of the task, which is replayed by the caller
  /// @param ends where the changelog ends now, if [#needsEnds]; null otherwise
  Result step(
      FollowedClaims claims,
      Barring barring,
      DurableState state,
      Log.@Nullable Offsets ends,
      long now) {
    if (phase == Phase.CLAIMS) {
      return lookAtClaims(claims, barring, now);
    }
    if (ends == null) {
      return Result.WAITS;
    }
    looked = true;
    lookNanos = now + LOOK.toNanos();
    return phase == Phase.UNDECIDED
        ? awaitDecisions(barring, state, ends, now)
        : awaitReplay(barring, state, ends);
  }

  private Result lookAtClaims(FollowedClaims followed, Barring barring, long now) {
    StandingClaims claims = followed.claims();
    if (!claims.hasRead(succession.end())) {
      awaitClaims(followed, barring, now);
      return Result.WAITS;
    }
    List<Claim> others = claims.against(succession.claim(), succession.end());
    if (others.stream().anyMatch(other -> other.version() > succession.claim().version())) {
      return Result.DISPLACED;
    }
    // Claims of this process end by themselves: its writers withdraw those of before.
    boolean own = others.stream().anyMatch(each -> barring.isOwn(each.writer().transactionalId()));
    if (own || (!others.isEmpty() && !succession.force() && mayWait(now))) {
      return Result.WAITS;
    }
    for (Claim other : others) {
      bar(other.writer(), barring);
    }
    barred.clear();
    barred.addAll(others);
    return to(Phase.UNDECIDED);
  }

  /// What somebody has left undecided among the claims holds up all that comes behind it. If its
  /// task is taken over because it is gone, whom to bar is known from its earlier claim.
  private void awaitClaims(FollowedClaims followed, Barring barring, long now) {
    if (!looksForHanging(now)) {
      return;
    }
    if (succession.force()) {
      followed.claims().against(claim(), succession.end()).stream()
          .filter(other -> other.version() <= claim().version())
          .map(Claim::writer)
          .filter(writer -> !barring.isOwn(writer.transactionalId()))
          .forEach(writer -> bar(writer, barring));
    }
    barring.endHanging(followed.split(), now);
  }

  private boolean looksForHanging(long now) {
    boolean looks = hangs && now - hangingNanos > HANGING_LOOK.toNanos();
    if (looks || !hangs) {
      hangs = true;
      hangingNanos = now;
    }
    return looks;
  }

  /// Whoever claims the task and does not let go of it for so long may have died, unnoticed by
  /// those who decide, as an heir of before.
  private boolean mayWait(long now) {
    if (!waited) {
      waited = true;
      waitedSinceNanos = now;
    }
    return now - waitedSinceNanos < LET_GO.toNanos();
  }

  private void bar(WriterId writer, Barring barring) {
    barring.bar(writer);
    barredIds.add(writer.transactionalId());
  }

  private Result to(Phase next) {
    phase = next;
    looked = false;
    hangs = false;
    return Result.MOVED;
  }

  private Result awaitDecisions(Barring barring, DurableState state, Log.Offsets ends, long now) {
    if (ends.stableEnd() < ends.end()) {
      if (looksForHanging(now)) {
        barring.endHanging(state.changelog(), now);
      }
      return Result.WAITS;
    }
    goal = ends.end();
    to(Phase.REPLAY);
    return awaitReplay(barring, state, ends); // who has followed is there already
  }

  /// When all is replayed, whoever has written last must have let go or be barred, and nobody may
  /// have written meanwhile.
  private Result awaitReplay(Barring barring, DurableState state, Log.Offsets ends) {
    if (state.changelogPosition() < goal) {
      return Result.WAITS;
    }
    CommitRecord last = state.committed();
    if (last == null && state.task().isPart()) {
      return Result.WAITS; // until it is split off
    }
    if (last != null && !mayGoOn(last, barring)) {
      if (barring.isOwn(last.writer().transactionalId())) {
        return Result.WAITS; // until this process has opened that writer
      }
      bar(last.writer(), barring);
      return to(Phase.UNDECIDED);
    }
    if (ends.end() != goal) {
      return to(Phase.UNDECIDED);
    }
    return Result.READY;
  }

  private boolean mayGoOn(CommitRecord last, Barring barring) {
    String id = last.writer().transactionalId();
    return last.ownership().equals(CommitRecord.RELEASED)
        || id.equals(succession.claim().writer().transactionalId())
        || barredIds.contains(id)
        || barring.hasOpened(id);
  }
}
