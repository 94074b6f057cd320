package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The tasks of a commit group: those it owns, those that come to it, and those it gives away.
///
/// A task that comes is claimed with the next commit, then prepared by the [Succession.Successor]
/// while the group goes on, and begun between two commits. One that goes is part of a last commit,
/// which withdraws its claim. Used by the group's thread, but for what says that it is thread-safe.
final class Moves {
  private final String changelog;
  private final Succession.@Nullable Successor successor;
  private final ConcurrentLinkedQueue<Runnable> asked = new ConcurrentLinkedQueue<>();
  private final TreeMap<Integer, Owned> owned = new TreeMap<>();
  private final TreeMap<Integer, Coming> coming = new TreeMap<>();

  /// Tasks that are to be given away.
  private final Set<Integer> leaving = new TreeSet<>();

  /// Those of them that the commit under way is the last one of.
  private final Set<Integer> last = new TreeSet<>();

  /// Claims to be withdrawn with the next commit.
  private final List<Claim> withdrawn = new ArrayList<>();

  /// Claims that the commit under way withdraws.
  private final List<Claim> withdrawing = new ArrayList<>();

  /// Whether the group is about to end.
  private boolean closing;

  private @Nullable Failure failed;

  /// Whether the next commit should come at once.
  private boolean wantsCommit;

  /// How often a task was handed to the successor.
  private long attempts;

  private volatile Runnable wakeup = () -> {};
  private volatile SortedMap<Integer, HeldTask> held = Collections.emptySortedMap();

  private record Owned(long version, @Nullable Mailbox member) {}

  /// How far a task is that comes.
  private enum Phase {
    /// It is claimed with the next commit.
    WANTED,
    /// The commit with its claim is under way.
    CLAIMING,
    /// It is prepared.
    CLAIMED,
    /// It can begin.
    READY
  }

  /// @param attempt to prepare it, the number of the last one; what an earlier one comes to does
  ///   not count, because its claim may be void
  /// @param claim of that attempt
  private record Coming(
      long version,
      boolean force,
      Mailbox member,
      Phase phase,
      long attempt,
      @Nullable Claim claim,
      List<Claim> barred) {
    Coming(long version, boolean force, Mailbox member) {
      this(version, force, member, Phase.WANTED, 0, null, List.of());
    }

    Coming to(Phase newPhase) {
      return new Coming(version, force, member, newPhase, attempt, claim, barred);
    }

    Coming claimed(long newAttempt, Claim newClaim) {
      return new Coming(version, force, member, Phase.CLAIMED, newAttempt, newClaim, List.of());
    }

    Coming ready(List<Claim> newBarred) {
      return new Coming(version, force, member, Phase.READY, attempt, claim, newBarred);
    }
  }

  Moves(GroupSettings settings) {
    changelog = settings.changelog();
    successor = settings.successor();
    settings.tasks().forEach(task -> owned.put(task, new Owned(settings.version(), null)));
    show();
  }

  /// Whether tasks come and go.
  boolean mayChange() {
    return successor != null;
  }

  /// The group's writer was opened.
  void opened(String transactionalId) {
    if (successor != null) {
      successor.opened(transactionalId);
    }
  }

  void wakeup(Runnable newWakeup) {
    wakeup = newWakeup;
  }

  /// Asks for something to be done by the group's thread. Thread-safe.
  void ask(Runnable what) {
    asked.add(what);
    wakeup.run();
  }

  /// Does what was asked for.
  ///
  /// @return whether anything was
  boolean step() {
    boolean any = false;
    for (Runnable next = asked.poll(); next != null; next = asked.poll()) {
      next.run();
      any = true;
    }
    if (any) {
      show();
    }
    return any;
  }

  /// Lets a task come, unless it is here by the same decision or a later one.
  ///
  /// @param opened the group's writer as it was opened; null if it is not open
  void take(int task, long version, boolean force, Mailbox member, @Nullable WriterId opened) {
    if (closing) {
      return;
    }
    if (owned.containsKey(task) && !last.contains(task)) {
      keep(task, version);
      return;
    }
    Coming before = coming.get(task);
    if (before == null
        || before.version() < version
        || (force && !before.force())) { // the owner that was waited for is gone
      drop(task, opened);
      coming.put(task, new Coming(version, force, member));
      wantsCommit = true;
    }
  }

  /// Does not give an owned task away.
  private void keep(int task, long version) {
    leaving.remove(task);
    owned.computeIfPresent(
        task, (_, of) -> new Owned(Math.max(version, of.version()), of.member()));
  }

  /// Gives a task away, with the next commit if it is owned.
  void give(int task, @Nullable WriterId opened) {
    drop(task, opened);
    if (owned.containsKey(task)) {
      leaving.add(task);
      wantsCommit = true;
    }
  }

  /// Has a task be split that is owned.
  void split(int task, int part) {
    Owned of = owned.get(task);
    if (of != null && of.member() != null) {
      of.member().order(new Order.SplitOff(task, part));
    }
  }

  /// Gives all tasks away, with the last commit, and lets none come any more.
  void giveAll(@Nullable WriterId opened) {
    if (mayChange()) {
      closing = true;
      List.copyOf(coming.keySet()).forEach(task -> drop(task, opened));
      leaving.addAll(owned.keySet());
    }
  }

  /// Lets a task not come any more.
  private void drop(int task, @Nullable WriterId opened) {
    Coming before = coming.remove(task);
    if (before == null) {
      return;
    }
    dropPrepared(before);
    if (before.phase() != Phase.WANTED && opened != null) {
      withdrawSoon(List.of(new Claim(task, before.version(), opened)));
    }
  }

  private void dropPrepared(Coming each) {
    if (each.phase() == Phase.CLAIMED || each.phase() == Phase.READY) {
      Objects.requireNonNull(successor).drop(Objects.requireNonNull(each.claim()));
    }
  }

  /// Returns the numbers of the tasks that are owned.
  Set<Integer> owned() {
    return Collections.unmodifiableSet(owned.keySet());
  }

  /// Returns the partitions of the changelog of these.
  List<Split> changelog() {
    return owned.keySet().stream().map(this::changelog).toList();
  }

  private Split changelog(int task) {
    return new Split(changelog, task);
  }

  /// Returns the claims that the writer has to make for what is owned.
  ///
  /// @param opened the writer as it was opened
  List<Claim> claims(WriterId opened) {
    List<Claim> claims = new ArrayList<>();
    owned.forEach((task, of) -> claims.add(new Claim(task, of.version(), opened)));
    return claims;
  }

  /// Takes in that somebody else owns a task by a later decision.
  void displaced(Claim own) {
    Owned lost = owned.remove(own.task());
    leaving.remove(own.task());
    withdrawSoon(List.of(own));
    if (lost != null && lost.member() != null) {
      lost.member().order(new Order.Drop(own.task()));
    }
    show();
  }

  /// Has claims withdrawn with the next commit, whenever that comes.
  void withdraw(List<Claim> claims) {
    withdrawn.addAll(claims);
  }

  /// Has claims withdrawn with a commit that comes at once: others may wait for that.
  void withdrawSoon(List<Claim> claims) {
    withdraw(claims);
    wantsCommit |= !claims.isEmpty();
  }

  boolean wantsCommit() {
    return wantsCommit;
  }

  /// A commit begins.
  ///
  /// @return the tasks of which it is the last one
  Set<Integer> collect() {
    wantsCommit = false;
    last.addAll(leaving);
    return Collections.unmodifiableSet(new TreeSet<>(last));
  }

  /// What is told of claims with the commit that is about to end.
  ///
  /// @param opened the writer as it was opened
  /// @param to takes each claim, and whether it is withdrawn
  void commit(WriterId opened, ClaimSink to) {
    withdrawing.addAll(withdrawn);
    withdrawn.clear();
    withdrawing.forEach(claim -> to.add(claim, true));
    for (int task : last) {
      to.add(new Claim(task, 0, opened), true);
    }
    coming.replaceAll((task, each) -> {
      if (each.phase() != Phase.WANTED || last.contains(task)) {
        return each;
      }
      to.add(new Claim(task, each.version(), opened), false);
      return each.to(Phase.CLAIMING);
    });
  }

  /// Takes a claim, or that it is withdrawn.
  @FunctionalInterface
  interface ClaimSink {
    void add(Claim claim, boolean isWithdrawn);
  }

  /// The commit is done.
  ///
  /// @param opened the writer as it was opened
  /// @param end the offset behind the last claim that was committed
  void committed(WriterId opened, long end) {
    withdrawing.clear();
    if (!closing) { // else they are held until the end, which may fail yet
      owned.keySet().removeAll(last);
      leaving.removeAll(last);
    }
    last.clear();
    wantsCommit |= coming.values().stream().anyMatch(each -> each.phase() == Phase.WANTED);
    coming.replaceAll((task, each) -> {
      if (each.phase() != Phase.CLAIMING) {
        return each;
      }
      Claim claim = new Claim(task, each.version(), opened);
      long attempt = ++attempts;
      Consumer<Succession.Outcome> told = outcome -> ask(() -> ended(task, attempt, outcome));
      Objects.requireNonNull(successor).succeed(new Succession(claim, end, each.force(), told));
      return each.claimed(attempt, claim);
    });
    show();
  }

  private void ended(int task, long attempt, Succession.Outcome outcome) {
    Coming each = coming.get(task);
    if (each == null || each.phase() != Phase.CLAIMED || each.attempt() != attempt) {
      return;
    }
    switch (outcome) {
      case Succession.Ready(var barred) -> coming.put(task, each.ready(barred));
      case Succession.Displaced() -> {
        coming.remove(task);
        withdrawSoon(List.of(Objects.requireNonNull(each.claim())));
      }
      case Succession.Failed(var failure) -> failed = failure;
    }
  }

  /// Begins the tasks that are ready.
  ///
  /// @return whether there were any
  boolean adopt() {
    boolean any = false;
    for (Iterator<Integer> tasks = coming.keySet().iterator(); tasks.hasNext(); ) {
      int task = tasks.next();
      Coming each = Objects.requireNonNull(coming.get(task));
      if (each.phase() == Phase.READY) {
        tasks.remove();
        owned.put(task, new Owned(each.version(), each.member()));
        withdraw(each.barred());
        each.member().order(new Order.Adopt(task));
        any = true;
      }
    }
    if (any) {
      show();
    }
    return any;
  }

  /// All goes back to the last commit, and the writer is opened anew: claims that it has made do
  /// not hold any more, and it is not known which were withdrawn. A task that was to come again
  /// behind its last commit just stays.
  void rolledBack() {
    last.clear();
    withdrawn.clear();
    withdrawing.clear();
    owned
        .keySet()
        .forEach(task -> {
          Coming again = coming.remove(task);
          if (again != null) {
            keep(task, again.version());
          }
        });
    coming.replaceAll((task, each) -> {
      dropPrepared(each);
      return each.to(Phase.WANTED);
    });
    show();
  }

  /// The group goes on.
  void begun() {
    wantsCommit |= !leaving.isEmpty() || !coming.isEmpty();
  }

  /// Returns why a task cannot come, once; null if that did not happen.
  @Nullable Failure takeFailure() {
    Failure taken = failed;
    failed = null;
    return taken;
  }

  /// Returns the tasks by their numbers, those that come too. Thread-safe.
  SortedMap<Integer, HeldTask> held() {
    return held;
  }

  private void show() {
    TreeMap<Integer, HeldTask> now = new TreeMap<>();
    owned.forEach((task, of) ->
        now.put(
            task,
            new HeldTask(
                of.version(),
                leaving.contains(task) ? HeldTask.Stage.LEAVING : HeldTask.Stage.OWNED)));
    coming.forEach((task, of) -> now.put(task, new HeldTask(of.version(), HeldTask.Stage.COMING)));
    held = Collections.unmodifiableSortedMap(now);
  }
}
