package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Lead;
import dev.millrace.internal.cluster.decide.SplitDecision;
import dev.millrace.internal.cluster.decide.Term;
import dev.millrace.internal.cluster.live.LeaderWatch;
import dev.millrace.internal.cluster.live.Rhythm;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.live.Signs;
import dev.millrace.internal.cluster.place.Facts;
import dev.millrace.internal.cluster.place.Placement;
import dev.millrace.internal.cluster.place.Placer;
import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.cluster.view.PlacementView;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Presence.Sight;
import java.time.Duration;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides for an application, while no other member does.
///
/// Each member has one. All but one watch the leader; the leader hears the members, plans, and
/// writes what it decides. Has no thread: [#step] is called again and again, after that of the
/// member. Used by one thread.
public final class Coordinator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
  private static final long RETRY_NANOS = Duration.ofMillis(300).toNanos();

  /// Up to how many members each hears all others, so that a new leader knows at once who lives.
  private static final int ALL_LISTEN = 50;

  /// Up to how many a leader shows by its signs that it lives; beyond, by records of its term.
  private static final int SIGNS_SUFFICE = ALL_LISTEN / 2;

  /// The least time between two plans, and what each bundle adds to it.
  private static final long PLAN_NANOS = Duration.ofMillis(20).toNanos();

  private static final long PLAN_NANOS_A_BUNDLE = 20_000;

  /// The least time between two plans if nothing new was heard.
  private static final long QUIET_NANOS = Duration.ofMillis(200).toNanos();

  private static final int QUIET_PLANS = 10;

  /// What is decided about.
  ///
  /// @param settle how long the first members wait for more before anything is placed; one that is
  ///   alone waits for nobody
  public record Scope(String application, Policy policy, Duration settle) {}

  private final Scope scope;
  private final Member member;
  private final Decisions decisions;
  private final Lead lead;
  private final Signs signs;
  private final LeaderWatch watch;
  private final FactFinder finder;
  private final Splitter splitter;

  private boolean led;
  private boolean resigning;
  private long beatNanos;
  private long plannedNanos;
  private long plannedNews;
  private long unbalancedSinceNanos;
  private boolean unbalanced;
  private boolean begun;
  private long notBeforeNanos;

  public Coordinator(Scope scope, Member member, Log log, Clock clock, RandomGenerator random) {
    this.scope = scope;
    this.member = member;
    decisions = member.decisions();
    lead = new Lead(scope.application(), log, clock, decisions);
    signs = new Signs(scope.application(), member.self(), log, member.inbox(), member.presence());
    watch = new LeaderWatch(random);
    finder = new FactFinder(decisions, signs);
    splitter = new Splitter(decisions, signs, member.hands(), scope.policy());
  }

  /// Returns whether this member decides, as far as it knows.
  public boolean isLeading() {
    return lead.state() == Lead.State.LEADING;
  }

  /// Returns a number that changes when something new was heard of other members.
  public long news() {
    return signs.news();
  }

  /// Returns whether somebody may soon be missed, as far as this member hears others: then it
  /// should look soon.
  public boolean isSomebodyLate() {
    return signs.isSomebodyLate();
  }

  /// Returns the programs of the members that live and run another one than this process, by their
  /// names; of those that this member hears, which are all unless there are very many.
  public SortedMap<String, String> otherPrograms() {
    SortedMap<String, String> programs = new TreeMap<>();
    for (Signs.Heard each : signs.members()) {
      Self self = each.sign().self();
      boolean differs = !self.running().program().equals(member.self().running().program());
      if (signs.isLiving(each) && differs) {
        programs.put(self.home(), self.running().program());
      }
    }
    return programs;
  }

  /// Returns a number that changes when something new was heard or decided.
  public long changes() {
    return signs.news() + decisions.changes();
  }

  /// Returns whether this member hears all others: it decides, or there are not very many.
  public boolean hearsAll() {
    return signs.isSettled() && (isLeading() || decisions.members() <= ALL_LISTEN);
  }

  /// Returns what is decided and heard.
  ///
  /// @param name of the application
  public PlacementView view(String name) {
    SortedMap<String, Sign> said = new TreeMap<>();
    SortedSet<String> living = new TreeSet<>();
    for (Signs.Heard each : signs.members()) {
      said.put(each.sign().self().home(), each.sign());
      if (signs.isLiving(each)) {
        living.add(each.sign().self().home());
      }
    }
    return new PlacementView(
        name,
        decisions.term(),
        decisions.seats(),
        said,
        living,
        decisions.drained(),
        decisions.moves(),
        decisions.parts(),
        decisions.splits());
  }

  /// Goes on as far as possible. Waits for nothing but the log.
  ///
  /// @param nowNanos on the clock of this process
  /// @throws LogException if the log refuses
  public void step(long nowNanos) {
    if (!begun) {
      begun = true;
      notBeforeNanos = nowNanos;
    }
    if (nowNanos - notBeforeNanos < 0) {
      return;
    }
    try {
      if (lead.state() == Lead.State.NONE) {
        led = false;
        watch(nowNanos);
      } else {
        lead.step();
      }
      if (isLeading() || listens()) {
        signs.read(nowNanos);
      } else {
        signs.close();
      }
      if (isLeading()) {
        lead(nowNanos);
      }
      member.leads(lead.leads());
    } catch (LogException e) {
      if (e.kind() == LogException.Kind.REFUSED || e.kind() == LogException.Kind.MISSING) {
        throw e;
      }
      LOG.debug("Member '{}' cannot coordinate now.", member.self().home(), e);
      notBeforeNanos = nowNanos + RETRY_NANOS;
    }
  }

  private boolean listens() {
    return decisions.members() <= ALL_LISTEN;
  }

  private void watch(long nowNanos) {
    boolean works =
        member.isHeard(nowNanos)
            && decisions.isCurrent()
            && member.isStaying()
            && (!listens() || signs.isHearing(nowNanos));
    Term term = decisions.term();
    Sight sight = member.presence().of(term.leader(), term.life());
    if (watch.isDue(
        decisions.heard() + signs.beats(term.number()),
        term.resigned() || wasOwn(term) || sight == Sight.GONE,
        works && !resigning,
        sight == Sight.PRESENT ? member.presence().patience() : Duration.ZERO,
        decisions.members(),
        nowNanos)) {
      lead.begin(member.self().home(), member.self().life(), member.self().kind());
    }
  }

  /// Returns whether a former process of this home led.
  private boolean wasOwn(Term term) {
    Self self = member.self();
    return term.leader().equals(self.home()) && term.life() != self.life();
  }

  private void lead(long nowNanos) {
    if (!led) {
      led = true;
      LOG.info("Member '{}' coordinates.", member.self().home());
      unbalanced = false;
      finder.beginAnew();
      beatNanos = nowNanos;
      plannedNanos = nowNanos;
    }
    if (resigning || !member.isStaying()) {
      lead.resign();
      return;
    }
    if (lead.isReady() && isTimeToPlan(nowNanos)) {
      plan(nowNanos);
    }
    if (nowNanos - beatNanos >= Rhythm.BEAT.toNanos()) {
      beatNanos = nowNanos;
      if (decisions.members() > SIGNS_SUFFICE) {
        lead.beat();
      }
    }
  }

  private boolean isTimeToPlan(long nowNanos) {
    boolean first = decisions.seats().isEmpty();
    boolean waits = first && !signs.isAlone() && signs.settledNanos() < scope.settle().toNanos();
    if (!signs.isSettled() || waits) {
      return false;
    }
    long least = Math.max(PLAN_NANOS, PLAN_NANOS_A_BUNDLE * decisions.seats().size());
    boolean quiet = signs.news() == plannedNews;
    return nowNanos - plannedNanos >= (quiet ? Math.max(QUIET_NANOS, QUIET_PLANS * least) : least);
  }

  private void plan(long nowNanos) {
    plannedNanos = nowNanos;
    plannedNews = signs.news();
    String kind = member.self().kind();
    if (!lead.kind().equals(kind) && nobodyHas(lead.kind())) {
      lead.kind(kind);
    }
    Facts facts =
        finder.find(
            lead.nextVersion(),
            lead.kind(),
            unbalanced ? nowNanos - unbalancedSinceNanos : 0,
            nowNanos);
    Placement placement = Placer.next(facts, scope.policy());
    if (placement.unbalanced() && !unbalanced) {
      unbalancedSinceNanos = nowNanos;
    }
    unbalanced = placement.unbalanced();
    if (!unbalanced) {
      finder.isBalanced();
    }
    SplitDecision splits = splitter.next(facts, () -> view(scope.application()), nowNanos);
    if (!splits.isEmpty()) {
      say(splits);
      lead.split(splits);
    } else if (finder.isAllDone(facts) && placement.seats().equals(decisions.seats())) {
      lead.complete();
    } else {
      lead.decide(placement.seats());
    }
  }

  private static void say(SplitDecision splits) {
    splits
        .parts()
        .forEach((number, part) ->
            LOG.info(
                part.ready()
                    ? "Task {} is ready to be split off from task {}."
                    : "Task {} is to be split off from task {}.",
                number,
                part.parent()));
    splits.refused().forEach((bundle, why) -> LOG.warn("Task {} is not split: {}", bundle, why));
  }

  private boolean nobodyHas(String kind) {
    return signs.members().stream()
        .noneMatch(each -> signs.isLiving(each) && each.sign().self().kind().equals(kind));
  }

  /// Returns whether another member stays, as far as this one hears.
  boolean hasOthers() {
    Self self = member.self();
    return !hearsAll()
        || signs.members().stream()
            .anyMatch(each ->
                each.sign().phase() == Sign.Phase.HERE
                    && signs.isLiving(each)
                    && !each.sign().self().home().equals(self.home())
                    && each.sign().self().kind().equals(self.kind()));
  }

  /// Gives up the right to decide, if this member has it, and does not take it again. [#step] goes
  /// on until [#isLeading] is false.
  public void resign() {
    resigning = true;
  }

  /// Lets go of the log.
  @Override
  public void close() {
    lead.close();
    signs.close();
  }
}
