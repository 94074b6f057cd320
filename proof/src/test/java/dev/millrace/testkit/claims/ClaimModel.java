package dev.millrace.testkit.claims;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Who may write for one task, as a model of which every state is visited.
///
/// Members learn of decisions late or never, crash and forget, and open their writer again. Whoever
/// wants to write says so first, each time it has opened its writer (a claim), reads the claims up
/// to its own, bars those who have one there too, and only then reads what it goes on from. A
/// commit of the owner may withdraw the claims that it has read: each is that of one opening of a
/// writer, so the next one of the same member stands.
final class ClaimModel {
  /// A rule that is left out or changed.
  enum Bug {
    NONE,
    FENCES_BEFORE_IT_CLAIMS,
    OPENS_AGAIN_WITHOUT_A_CLAIM,
    FENCES_NOBODY,
    SUCCESSOR_DOES_NOT_WAIT,
    WITHDRAWS_ALL_CLAIMS_OF_A_MEMBER,
    IGNORES_HIGHER_CLAIMS
  }

  /// The owner that the coordinator decides on.
  ///
  /// @param owner the number of a member
  /// @param planned whether it waits until the one before has released the task
  record Decision(int owner, boolean planned) {}

  /// How much may happen; a record has room for four members and seven decisions.
  ///
  /// @param commits how many commits with data
  /// @param failures how many crashes, and writers that are opened again
  /// @param records how many records there may be
  record Limits(int members, int commits, int failures, int records) {}

  /// What a member is about to do.
  private enum Phase {
    IDLE(0),
    /// Its writer is open. Next it claims.
    OPENED(1),
    /// Next it reads the claims up to its own, and bars the others.
    CLAIMED(2),
    /// It has barred the others. Next it reads to the end.
    FENCED(3),
    /// It waits until the owner has released the task.
    WAITING(4),
    OWNER(5),
    /// Only with a bug: it has barred the others, and claims next.
    FENCED_EARLY(6);

    private static final List<Phase> ALL = List.of(values());
    final int code;

    Phase(int code) {
      this.code = code;
    }
  }

  private enum Kind {
    CLAIM(0),
    WITHDRAWAL(1),
    DATA(2);

    private static final List<Kind> ALL = List.of(values());
    final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  /// Where in the bytes of a state each number of a member lies.
  private static final int SEEN = 0;

  private static final int PHASE = 1;
  private static final int VERSION = 2;

  /// The number with which its writer is open.
  private static final int OPEN = 3;

  /// The number with which a writer of the member may write: a higher one bars the lower ones.
  private static final int LAST_OPENED = 4;

  /// Up to where it has read.
  private static final int READ = 5;

  /// Below which offset it has read the claims that it withdraws.
  private static final int BARRED = 6;

  private static final int NUMBERS = 7;

  /// The bytes of a record.
  private static final int RECORD = 2;

  private final Limits limits;
  private final List<Decision> decisions;
  private final Bug bug;

  ClaimModel(Limits limits, List<Decision> decisions, Bug bug) {
    this.limits = limits;
    this.decisions = List.copyOf(decisions);
    this.bug = bug;
  }

  State start() {
    return new State(new byte[limits.members() * NUMBERS + 1]);
  }

  /// The changelog holds a commit that its writer had to know and did not.
  static final class NotSeenException extends RuntimeException {
    NotSeenException(int member, int offset) {
      super("Member %d commits without having read record %d.".formatted(member, offset));
    }
  }

  /// All that the members, their writers and the changelog are at one moment.
  final class State {
    private final byte[] bytes;

    private State(byte[] bytes) {
      this.bytes = bytes;
    }

    private int get(int member, int number) {
      return bytes[member * NUMBERS + number];
    }

    private State with(int member, int number, int value) {
      State changed = new State(bytes.clone());
      changed.bytes[member * NUMBERS + number] = (byte) value;
      return changed;
    }

    private State to(int member, Phase phase) {
      return with(member, PHASE, phase.code);
    }

    private Phase phase(int member) {
      return Phase.ALL.get(get(member, PHASE));
    }

    private int failures() {
      return bytes[limits.members() * NUMBERS];
    }

    private State failed() {
      State changed = new State(bytes.clone());
      changed.bytes[limits.members() * NUMBERS]++;
      return changed;
    }

    private int begin() {
      return limits.members() * NUMBERS + 1;
    }

    private int records() {
      return (bytes.length - begin()) / RECORD;
    }

    private boolean hasRoom(int count) {
      return records() + count <= limits.records();
    }

    private Kind kind(int offset) {
      return Kind.ALL.get(bytes[begin() + offset * RECORD] >> 5);
    }

    private int member(int offset) {
      return bytes[begin() + offset * RECORD] >> 3 & 3;
    }

    private int version(int offset) {
      return bytes[begin() + offset * RECORD] & 7;
    }

    /// The number with which the writer was open that made a claim.
    private int opening(int offset) {
      return bytes[begin() + offset * RECORD + 1];
    }

    /// @param opening of whose claim it is; 0 for data
    private State append(Kind kind, int member, int version, int opening) {
      byte[] longer = Arrays.copyOf(bytes, bytes.length + RECORD);
      longer[bytes.length] = (byte) (kind.code << 5 | member << 3 | version);
      longer[bytes.length + 1] = (byte) opening;
      return new State(longer);
    }

    /// Whether a record is a claim that is not withdrawn below another offset.
    private boolean isStanding(int claim, int below) {
      if (kind(claim) != Kind.CLAIM) {
        return false;
      }
      for (int i = claim + 1; i < below; i++) {
        if (kind(i) == Kind.WITHDRAWAL
            && member(i) == member(claim)
            && (opening(i) == opening(claim) || bug == Bug.WITHDRAWS_ALL_CLAIMS_OF_A_MEMBER)) {
          return false;
        }
      }
      return true;
    }

    /// Whether a record is the claim that a member has made since it opened its writer.
    private boolean isPresentClaim(int offset, int member) {
      return member(offset) == member && opening(offset) == get(member, OPEN);
    }

    /// A bit for each other member of which a claim below an offset stands.
    private int claimsOfOthers(int member, int below) {
      int claims = 0;
      for (int i = 0; i < below; i++) {
        if (member(i) != member && isStanding(i, below)) {
          claims |= 1 << member(i);
        }
      }
      return claims;
    }

    private boolean hasClaim(int member) {
      for (int i = 0; i < records(); i++) {
        if (member(i) == member && isStanding(i, records())) {
          return true;
        }
      }
      return false;
    }

    /// The offset behind a member's present claim.
    private int behindClaim(int member) {
      for (int i = records() - 1; i >= 0; i--) {
        if (kind(i) == Kind.CLAIM && isPresentClaim(i, member)) {
          return i + 1;
        }
      }
      throw new AssertionError("Member " + member + " has made no claim.");
    }

    private boolean hasHigherClaim(int member, int below) {
      for (int i = 0; i < below; i++) {
        if (kind(i) == Kind.CLAIM && version(i) > get(member, VERSION)) {
          return bug != Bug.IGNORES_HIGHER_CLAIMS;
        }
      }
      return false;
    }

    private int commits() {
      int commits = 0;
      for (int i = 0; i < records(); i++) {
        commits += kind(i) == Kind.DATA ? 1 : 0;
      }
      return commits;
    }

    /// Whether no other writer of the member was opened since, nor was it barred.
    private boolean mayWrite(int member) {
      return get(member, OPEN) == get(member, LAST_OPENED);
    }

    private boolean isDecidedFor(int member) {
      int seen = get(member, SEEN);
      return seen > 0 && decisions.get(seen - 1).owner() == member;
    }

    private State idle(int member) {
      return to(member, Phase.IDLE)
          .with(member, VERSION, 0)
          .with(member, READ, 0)
          .with(member, BARRED, 0);
    }

    private State open(int member, int version) {
      int number = get(member, LAST_OPENED) + 1;
      return to(member, Phase.OPENED)
          .with(member, VERSION, version)
          .with(member, LAST_OPENED, number)
          .with(member, OPEN, number)
          .with(member, READ, 0)
          .with(member, BARRED, 0);
    }

    /// Bars the others that have a claim below an offset.
    private State bar(int member, int below) {
      int others = claimsOfOthers(member, below);
      State barring = with(member, BARRED, below);
      for (int other = 0; other < limits.members(); other++) {
        if ((others >> other & 1) == 1) {
          barring = barring.with(other, LAST_OPENED, get(other, LAST_OPENED) + 1);
        }
      }
      return barring;
    }

    private State own(int member) {
      return to(member, Phase.OWNER).with(member, READ, records());
    }

    /// Returns what may come next.
    List<State> next() {
      List<State> next = new ArrayList<>();
      for (int member = 0; member < limits.members(); member++) {
        addNext(member, next);
      }
      return next;
    }

    private void addNext(int member, List<State> next) {
      Phase phase = phase(member);
      if (get(member, SEEN) < decisions.size()) {
        next.add(with(member, SEEN, get(member, SEEN) + 1));
      }
      if (phase != Phase.IDLE && failures() < limits.failures()) {
        next.add(failed().idle(member).with(member, SEEN, 0));
      }
      if (phase == Phase.IDLE) {
        if (isDecidedFor(member)) {
          next.add(open(member, get(member, SEEN)));
        }
      } else if (!mayWrite(member) && phase != Phase.CLAIMED) {
        next.add(idle(member));
      } else {
        addNext(member, phase, next);
      }
    }

    private void addNext(int member, Phase phase, List<State> next) {
      switch (phase) {
        case IDLE -> {}
        case OPENED -> addOpened(member, next);
        case FENCED_EARLY -> addClaim(member, Phase.FENCED, next);
        case CLAIMED -> addClaimed(member, next);
        case FENCED -> next.add(own(member));
        case WAITING -> addWaiting(member, next);
        case OWNER -> addOwner(member, next);
      }
    }

    private void addOpened(int member, List<State> next) {
      if (bug == Bug.FENCES_BEFORE_IT_CLAIMS) {
        next.add(bar(member, records()).to(member, Phase.FENCED_EARLY));
      } else if (bug == Bug.OPENS_AGAIN_WITHOUT_A_CLAIM && hasClaim(member)) {
        next.add(own(member));
      } else {
        addClaim(member, Phase.CLAIMED, next);
      }
    }

    private void addClaim(int member, Phase then, List<State> next) {
      if (hasRoom(1)) {
        int opening = get(member, OPEN);
        next.add(to(member, then).append(Kind.CLAIM, member, get(member, VERSION), opening));
      }
    }

    private void addWithdrawal(int member, List<State> next) {
      if (!mayWrite(member)) {
        next.add(idle(member));
      } else if (hasRoom(1)) {
        next.add(idle(member).append(Kind.WITHDRAWAL, member, 0, get(member, OPEN)));
      }
    }

    private void addClaimed(int member, List<State> next) {
      int behindClaim = behindClaim(member);
      addClaimed(member, behindClaim, next);
      if (behindClaim < records()) {
        addClaimed(member, records(), next);
      }
    }

    /// @param below the offset up to which it has read
    private void addClaimed(int member, int below, List<State> next) {
      if (hasHigherClaim(member, below)) {
        addWithdrawal(member, next);
      } else if (decisions.get(get(member, VERSION) - 1).planned()) {
        next.add(to(member, Phase.WAITING));
      } else {
        next.add((bug == Bug.FENCES_NOBODY ? this : bar(member, below)).to(member, Phase.FENCED));
      }
    }

    private void addWaiting(int member, List<State> next) {
      int seen = get(member, SEEN);
      int end = records();
      if (hasHigherClaim(member, end) || (seen > get(member, VERSION) && !isDecidedFor(member))) {
        addWithdrawal(member, next);
      } else if (claimsOfOthers(member, end) == 0 || bug == Bug.SUCCESSOR_DOES_NOT_WAIT) {
        next.add(own(member));
      }
    }

    private void addOwner(int member, List<State> next) {
      if (commits() < limits.commits()) {
        requireSeen(member);
        if (hasRoom(1)) {
          next.add(commit(member, false));
        }
        if (get(member, BARRED) > 0) {
          State withdrawing = commit(member, true);
          if (withdrawing.records() <= limits.records()) {
            next.add(withdrawing);
          }
        }
      }
      if (!isDecidedFor(member)) {
        addWithdrawal(member, next);
      }
      if (failures() < limits.failures()) {
        int version = isDecidedFor(member) ? get(member, SEEN) : get(member, VERSION);
        next.add(failed().open(member, version));
      }
    }

    private void requireSeen(int member) {
      for (int i = get(member, READ); i < records(); i++) {
        if (kind(i) == Kind.DATA) {
          throw new NotSeenException(member, i);
        }
      }
    }

    /// @param withdraws whether it withdraws the claims that it has read, but for its own
    private State commit(int member, boolean withdraws) {
      State committed = append(Kind.DATA, member, 0, 0);
      int below = withdraws ? get(member, BARRED) : 0;
      for (int i = 0; i < below; i++) {
        if (isStanding(i, records()) && !isPresentClaim(i, member)) {
          committed = committed.append(Kind.WITHDRAWAL, member(i), 0, opening(i));
        }
      }
      return committed
          .with(member, BARRED, withdraws ? 0 : get(member, BARRED))
          .with(member, READ, committed.records());
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof State state && Arrays.equals(bytes, state.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }
}
