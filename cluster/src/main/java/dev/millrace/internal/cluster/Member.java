package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Orders;
import dev.millrace.internal.cluster.decide.Orders.Own;
import dev.millrace.internal.cluster.decide.RestartRequest;
import dev.millrace.internal.cluster.decide.Term;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Report.State;
import dev.millrace.internal.cluster.live.Rhythm;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.live.Sign.Phase;
import dev.millrace.internal.cluster.live.SignWriter;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.internal.cluster.read.Inbox;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Presence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One process of an application: it says that it lives, and does what is decided about it.
///
/// It does nothing before it has read all decisions, and goes on with what it was told last while
/// the log is away. Has no thread: [#step] is called again and again, some times in each beat. Used
/// by one thread.
public final class Member implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Member.class);
  private static final long RETRY_NANOS = Duration.ofMillis(200).toNanos();

  /// The least time between two signs, so that many changes become one sign.
  private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  /// Up to how many members say their signs at the same moments, so that who hears them all is
  /// woken by many at once.
  private static final int TOGETHER = 50;

  /// Who says a sign so short before such a moment says none at it.
  private static final long SOON_MILLIS = 50;

  private Self self;
  private final SeenHands hands;
  private final Presence presence;
  private final Clock clock;
  private final Inbox inbox;
  private final Decisions decisions;
  private final SignWriter signs;

  /// By bundle, the last version for which it was taken.
  private final Map<Integer, Long> taken = new TreeMap<>();

  /// By bundle, the version of which it was let go.
  private final Map<Integer, Long> given = new TreeMap<>();

  /// By bundle, the version of which it was let go before it was owned. What those before had not
  /// let go of may still be held up by them.
  private final Map<Integer, Long> dropped = new TreeMap<>();

  private final Set<Integer> followed = new TreeSet<>();

  /// How far each bundle was at the last step.
  private final Map<Integer, State> held = new TreeMap<>();

  private Phase phase = Phase.HERE;

  /// How to go, once everything was let go of.
  private @Nullable Phase goodbye;

  /// The number of the term in which this process decides; 0 if it does not.
  private long leads;

  private long applied;
  private long appliedOrders;
  private long saidOrders;
  private @Nullable Sign said;
  private boolean begun;
  private long saidNanos;

  /// When the next sign is due if there is nothing new to say.
  private long beatDueNanos;

  private long notBeforeNanos;
  private long goneNumber;

  /// The last term when all decisions were read for the first time.
  private @Nullable Term firstTerm;

  /// @param presence where it shows that it is there, and which it closes
  public Member(
      String application, Self self, Hands hands, Log log, Clock clock, Presence presence) {
    this.self = self;
    this.hands = new SeenHands(hands);
    this.clock = clock;
    this.presence = presence;
    inbox = new Inbox(log, "member");
    decisions = new Decisions(application, log, inbox);
    signs = new SignWriter(application, self.home(), log, clock);
  }

  /// Returns what this process says of itself.
  public Self self() {
    return self;
  }

  Decisions decisions() {
    return decisions;
  }

  Hands hands() {
    return hands;
  }

  Presence presence() {
    return presence;
  }

  Inbox inbox() {
    return inbox;
  }

  /// Has the signs say whether this process decides.
  ///
  /// @param term in which it does; 0 if it does not
  void leads(long term) {
    leads = term;
  }

  /// Waits until something was said or decided, a sign is due, or [#wakeup].
  ///
  /// @param nowNanos on the clock of this process
  public void await(Duration atMost, long nowNanos) {
    long untilDue = begun ? beatDueNanos - nowNanos : 0;
    inbox.await(untilDue > 0 && untilDue < atMost.toNanos() ? Duration.ofNanos(untilDue) : atMost);
  }

  /// Ends a wait, or the next one. Thread-safe.
  public void wakeup() {
    inbox.wakeup();
  }

  /// Returns whether the log has taken a sign of this process.
  public boolean isHeard() {
    return signs.acknowledged() > 0;
  }

  /// Returns whether the log takes the signs of this process now.
  boolean isHeard(long nowNanos) {
    return isHeard() && nowNanos - signs.acknowledgedNanos() <= 2 * beatNanos();
  }

  /// Returns whether this process stays, as far as it knows.
  boolean isStaying() {
    return phase == Phase.HERE && goodbye == null;
  }

  private long beatNanos() {
    return Rhythm.beatNanos(decisions.members());
  }

  /// Goes on as far as possible. Waits for nothing but the log.
  ///
  /// @param nowNanos on the clock of this process
  /// @throws LogException if the log refuses
  public void step(long nowNanos) {
    if (!begun) {
      begun = true;
      presence.enter(self.home(), self.life(), this::wakeup);
      notBeforeNanos = nowNanos;
      saidNanos = nowNanos;
      beatDueNanos = nowNanos;
    }
    signs.step();
    hands.lookAgain();
    if (nowNanos - notBeforeNanos < 0) {
      return;
    }
    try {
      decisions.read();
      if (decisions.isCurrent()) {
        if (firstTerm == null) {
          firstTerm = decisions.term();
        }
        obey();
      }
      say(nowNanos);
    } catch (LogException e) {
      if (e.kind() != LogException.Kind.UNAVAILABLE
          && e.kind() != LogException.Kind.POSITION_LOST) {
        throw e;
      }
      LOG.debug("The log is not available to member '{}' now.", self.home(), e);
      notBeforeNanos = nowNanos + RETRY_NANOS;
    }
  }

  /// Takes in which bundles there are that are split off from those of the program.
  private void know() {
    decisions
        .parts()
        .forEach((number, part) -> {
          if (self.bundles().contains(part.parent()) && !self.bundles().contains(number)) {
            self = self.with(self.bundles().with(number));
            hands.knows(number, part.parent());
          }
        });
  }

  private void split() {
    decisions
        .parts()
        .forEach((number, part) -> {
          if (part.ready() && isAtWork(part.parent()) && !isAtWork(number)) {
            hands.split(part.parent(), number);
          }
        });
  }

  private void obey() {
    know();
    Orders orders = goodbye == null ? ownOrders() : Orders.NONE;
    held.clear();
    hands.reports().forEach(report -> held.put(report.bundle(), report.state()));
    orders.owned().forEach((bundle, own) -> own(bundle, own, held.get(bundle)));
    for (int bundle : orders.followed()) {
      if (isHeld(held.get(bundle))) {
        letGo(bundle, held.get(bundle));
      } else if (followed.add(bundle)) {
        hands.follow(bundle);
      }
    }
    held.forEach((bundle, state) -> {
      if (isNamed(bundle, orders)) {
        return;
      }
      if (isHeld(state)) {
        letGo(bundle, state);
      } else if (state == State.FOLLOWING) {
        // It was let go of and its state is open still, so that nobody else on this host can.
        hands.forget(bundle);
      }
    });
    for (int bundle : List.copyOf(followed)) {
      if (!isNamed(bundle, orders)) {
        followed.remove(bundle);
        hands.forget(bundle);
      }
    }
    split();
    applied = decisions.term().version();
    appliedOrders = orders.version();
  }

  private static boolean isNamed(int bundle, Orders orders) {
    return orders.owned().containsKey(bundle) || orders.followed().contains(bundle);
  }

  /// What is decided about this member. A process of its home before may have been given bundles
  /// that its own program has not.
  private Orders ownOrders() {
    return decisions
        .orders(self.home())
        .withComing(decisions.coming(self.home()))
        .within(self.bundles());
  }

  private static boolean isHeld(@Nullable State state) {
    return state != null && state.isHeld();
  }

  private void own(int bundle, Own own, @Nullable State state) {
    if (own.giving()) {
      if (isHeld(state)) {
        letGo(bundle, state);
      }
    } else if (taken.getOrDefault(bundle, -1L) != own.version()) {
      taken.put(bundle, own.version());
      followed.remove(bundle);
      hands.take(bundle, own.version(), own.force());
    }
  }

  private void letGo(int bundle, @Nullable State state) {
    long version = taken.getOrDefault(bundle, 0L);
    if (given.getOrDefault(bundle, -1L) != version && state != State.LEAVING) {
      given.put(bundle, version);
      if (state == State.TAKING) {
        dropped.put(bundle, version);
      }
      hands.give(bundle);
    }
  }

  private void say(long nowNanos) {
    if (!signs.isFree() || (said != null && nowNanos - saidNanos < PAUSE_NANOS)) {
      return;
    }
    if (phase.isGone() && hasSaidGoodbye()) {
      return;
    }
    List<Report> reports = reports();
    if (goodbye != null && reports.stream().noneMatch(report -> report.state().isHeld())) {
      phase = goodbye;
    }
    long number = said == null ? 1 : said.number() + 1;
    Sign sign = new Sign(self, number, phase, applied, leads, reports);
    boolean isDue =
        said == null
            || nowNanos - beatDueNanos >= 0
            || saidOrders != appliedOrders
            || signs.acknowledged() != said.number()
            || !said.isLike(sign);
    if (isDue) {
      said = sign;
      saidNanos = nowNanos;
      beatDueNanos = nowNanos + untilBeatNanos();
      saidOrders = appliedOrders;
      if (phase.isGone()) {
        goneNumber = number;
      }
      signs.say(sign);
    }
  }

  /// Returns how long it is until the next sign has to be said: a beat, or less, so that the clocks
  /// of all hosts have come to the end of a second then.
  private long untilBeatNanos() {
    if (decisions.members() > TOGETHER) {
      return beatNanos();
    }
    long beatMillis = Rhythm.BEAT.toMillis();
    long left = beatMillis - Math.floorMod(clock.millis(), beatMillis);
    return Duration.ofMillis(left < SOON_MILLIS ? left + beatMillis : left).toNanos();
  }

  /// What the hands report, and what this process has let go of.
  private List<Report> reports() {
    Orders orders = ownOrders();
    Map<Integer, Report> reports = new TreeMap<>();
    hands.reports().forEach(report -> reports.put(report.bundle(), report));
    orders
        .owned()
        .forEach((bundle, own) -> {
          Report report = reports.get(bundle);
          long version = own.version();
          if (given.getOrDefault(bundle, -1L) == version
              && dropped.getOrDefault(bundle, -1L) != version
              && (report == null || !report.state().isHeld())) {
            reports.put(
                bundle,
                new Report(
                    bundle,
                    State.RELEASED,
                    version,
                    -1,
                    report == null ? 0 : report.weight(),
                    report == null ? 0 : report.bytes()));
          }
        });
    return new ArrayList<>(reports.values());
  }

  /// Returns whether it was decided since this process began that nothing is left to be done.
  public boolean isCompleted() {
    Term first = firstTerm;
    Term last = decisions.term();
    return last.completed()
        && first != null
        && !(first.completed() && first.number() == last.number());
  }

  /// Returns whether this member knows what is decided about it, and has done it.
  public boolean isSettled() {
    return firstTerm != null
        && decisions.isCurrent()
        && decisions.term().version() > 0
        && ownOrders().owned().keySet().stream().allMatch(this::isAtWork);
  }

  private boolean isAtWork(int bundle) {
    State state = held.get(bundle);
    return state == State.OWNER || state == State.DONE;
  }

  /// Returns how long this process may wait for others to have its bundles before it restarts; null
  /// unless somebody has asked it to restart.
  public @Nullable Duration restartAsked() {
    RestartRequest request = decisions.isCurrent() ? decisions.restart(self.home()) : null;
    return request != null && request.life() == self.life()
        ? Duration.ofMillis(request.patienceMillis())
        : null;
  }

  /// Asks to be relieved of everything; [#isIdle] says when that is done.
  public void leave() {
    if (phase == Phase.HERE) {
      phase = Phase.LEAVING;
    }
  }

  /// Asks to be relieved of what others can have at once or in a few seconds, because the rest is
  /// let go of soon.
  void stop() {
    if (phase == Phase.HERE) {
      phase = Phase.STOPPING;
    }
  }

  /// Returns whether it is decided who gets a bundle that this member has.
  boolean isHandingOver() {
    return ownOrders().owned().keySet().stream()
        .map(bundle -> decisions.seats().getOrDefault(bundle, Seat.EMPTY))
        .anyMatch(seat -> seat.owner().equals(self.home()) && !seat.heir().isEmpty());
  }

  /// Returns whether this member has nothing to do any more.
  public boolean isIdle() {
    return decisions.isCurrent()
        && ownOrders().owned().isEmpty()
        && hands.reports().stream().noneMatch(report -> report.state().isHeld());
  }

  /// Lets go of what it still has, and then says that it goes; [#hasSaidGoodbye] says when that is
  /// done.
  ///
  /// @param returning whether a process of this home will be back soon
  public void sayGoodbye(boolean returning) {
    if (goodbye == null) {
      goodbye = returning ? Phase.GONE_TO_RETURN : Phase.GONE;
    }
  }

  /// Returns whether everybody can know that this member is gone.
  public boolean hasSaidGoodbye() {
    return goneNumber > 0 && signs.acknowledged() >= goneNumber;
  }

  /// Lets go of the log, without a goodbye.
  @Override
  public void close() {
    presence.close();
    decisions.close();
    inbox.close();
    signs.close();
  }
}
