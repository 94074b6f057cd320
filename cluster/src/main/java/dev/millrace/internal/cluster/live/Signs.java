package dev.millrace.internal.cluster.live;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.cluster.read.Inbox;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.Presence;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Hears the signs of life of all members. Used by one thread.
///
/// Silence is measured on the reader's clock, and only while the reader's own signs come back from
/// the topic: then the log works both ways, and others would be heard. After a gap in its own
/// signs, as after an outage of the log or a long pause of this process, everybody's silence begins
/// anew.
public final class Signs implements AutoCloseable {
  private static final int LIVES = 8;

  /// After how many halves of a beat a sign is late.
  private static final int LATE_HALF_BEATS = 3;

  private static final Duration RETENTION = Duration.ofDays(1);

  private final Log log;
  private final Split split;
  private final Self self;
  private final Bytes view = new Bytes();
  private final SortedMap<String, Heard> members = new TreeMap<>();
  private final Inbox inbox;
  private final Presence presence;
  private boolean open;
  private @Nullable Position next;
  private long end;
  private long news;
  private long seen;

  /// How long the log has been known to work, counted up to the last own sign.
  private long workedNanos;

  /// When the last own sign came back, on this process's clock.
  private long ownNanos;

  private long ownNumber;

  /// What [#workedNanos] was when everything was read for the first time and an own sign was among
  /// it; -1 before.
  private long settlingNanos = -1;

  private long nowNanos;

  /// The last term of which a member has said that it leads it.
  private long led;

  /// How many signs have said that.
  private long beats;

  /// @param inbox what it reads with
  /// @param presence what else is known of who lives
  public Signs(String application, Self self, Log log, Inbox inbox, Presence presence) {
    this.presence = presence;
    this.log = log;
    this.inbox = inbox;
    this.self = self;
    split = split(application);
  }

  /// A member, as far as it was heard.
  public static final class Heard {
    /// By life, the number of its last sign.
    private final Map<Long, Long> lives = new LinkedHashMap<>();

    private Sign sign;
    private long heardNanos;
    private boolean lately;

    private Heard(Sign sign) {
      this.sign = sign;
      lives.put(sign.self().life(), sign.number());
    }

    /// Returns the last sign.
    public Sign sign() {
      return sign;
    }
  }

  /// Returns the topic with the signs of life of an application; it must exist.
  public static TopicSpec topic(String application) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("cleanup.policy", "compact,delete");
    settings.put("retention.ms", Long.toString(RETENTION.toMillis()));
    settings.put("message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
    settings.put("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    return new TopicSpec(Plan.membersTopic(application), 1, -1, settings);
  }

  static Split split(String application) {
    return new Split(topic(application).name(), 0);
  }

  /// Reads what is there, and waits for nothing but the log.
  ///
  /// @param now on this process's clock
  /// @throws LogException if it cannot be read now; the next call goes on
  public void read(long now) {
    nowNanos = now;
    if (seen != presence.changes()) {
      seen = presence.changes();
      news++;
    }
    try {
      if (!open) {
        open();
      }
      readOn();
    } catch (LogException e) {
      close();
      if (e.kind() == LogException.Kind.POSITION_LOST) {
        next = null;
      }
      throw e;
    }
    if (settlingNanos < 0 && hasReadAll() && ownNumber > 0) {
      settlingNanos = workedNanos;
      members.values().forEach(member -> member.lately = false);
    }
  }

  private boolean hasReadAll() {
    return open && next != null && next.offset() >= end;
  }

  private void readOn() {
    RecordBatch batch = inbox.next(split);
    while (batch != null) {
      tell(batch);
      next = batch.position(batch.size());
      batch.release();
      batch = inbox.next(split);
    }
  }

  private void open() {
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    end = offsets.stableEnd();
    Position from = next;
    if (from == null || from.offset() < offsets.start()) {
      from = Position.of(offsets.start());
    }
    next = from;
    settlingNanos = -1;
    inbox.add(split, from);
    open = true;
  }

  private void tell(RecordBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.hasKey(i) && batch.hasValue(i)) {
        String home = batch.key(i, view).toUtf8();
        Sign sign = Sign.read(home, batch.value(i, view));
        if (sign != null) {
          hear(sign);
        }
      }
    }
  }

  private void hear(Sign sign) {
    String home = sign.self().home();
    Heard member = members.get(home);
    if (member == null) {
      member = new Heard(sign);
      members.put(home, member);
      news++;
    } else if (!isNewer(member, sign)) {
      return;
    } else if (!member.sign.isLike(sign)) {
      news++;
    }
    member.sign = sign;
    member.heardNanos = workingNanos();
    member.lately = true;
    if (sign.leads() > 0 && sign.leads() >= led) {
      led = sign.leads();
      beats++;
    }
    if (home.equals(self.home()) && sign.self().life() == self.life()) {
      hearOwn(sign.number());
    }
  }

  /// A sign that was long on its way may come after one of a later life, even the first one of its
  /// own. So that life counts which has gone on saying something.
  private static boolean isNewer(Heard member, Sign sign) {
    long life = sign.self().life();
    if (sign.number() <= member.lives.getOrDefault(life, 0L)) {
      return false;
    }
    member.lives.remove(life);
    member.lives.put(life, sign.number()); // as the last one
    if (member.lives.size() > LIVES) {
      member.lives.remove(member.lives.keySet().iterator().next());
    }
    return true;
  }

  private void hearOwn(long number) {
    long gap = nowNanos - ownNanos;
    boolean missed = ownNumber == 0 || gap > 2 * beatNanos();
    workedNanos += missed ? 0 : gap;
    ownNanos = nowNanos;
    ownNumber = number;
    if (missed) {
      members.values().forEach(member -> member.heardNanos = workedNanos);
    }
  }

  /// Returns how long the log has been known to work, counted up to now, as long as the next own
  /// sign is not late.
  private long workingNanos() {
    return workedNanos + Math.min(nowNanos - ownNanos, beatNanos());
  }

  private long beatNanos() {
    return Rhythm.beatNanos(members.size());
  }

  /// Returns whether it is known who lives: all was read, and there was time for everybody to say
  /// something who may live.
  public boolean isSettled() {
    return settlingNanos >= 0 && (workedNanos - settlingNanos >= beatNanos() || isAlone());
  }

  /// Returns whether nobody else was heard who has not said that it goes.
  public boolean isAlone() {
    return members.values().stream()
        .allMatch(member ->
            member.sign.phase().isGone() || member.sign.self().home().equals(self.home()));
  }

  /// Returns for how long it has been possible to hear everybody; 0 if it is not.
  public long settledNanos() {
    return settlingNanos < 0 ? 0 : workedNanos - settlingNanos;
  }

  /// Returns all members that were ever heard and not forgotten, the dead included, by their homes.
  public Collection<Heard> members() {
    return Collections.unmodifiableCollection(members.values());
  }

  /// Returns the last sign of a member; null if it was never heard.
  public @Nullable Sign last(String home) {
    Heard member = members.get(home);
    return member == null ? null : member.sign;
  }

  /// Returns whether a member lives: it has said something, has not said that it goes, and has not
  /// been silent for too long.
  public boolean isLiving(String home) {
    Heard member = members.get(home);
    return member != null && isLiving(member);
  }

  /// Returns whether a member lives.
  public boolean isLiving(Heard member) {
    return !member.sign.phase().isGone()
        && workingNanos() - member.heardNanos <= patienceNanos(member.sign.self());
  }

  /// Returns whether a member that lives is silent for longer than usual, so that it may soon be
  /// missed.
  public boolean isSomebodyLate() {
    long late = workingNanos() - LATE_HALF_BEATS * beatNanos() / 2;
    return members.values().stream()
        .anyMatch(member -> member.heardNanos < late && isLiving(member));
  }

  /// Returns how long a member may be silent; negative if it is known to have ended.
  private long patienceNanos(Self of) {
    long usual = Rhythm.patienceNanos(members.size());
    if (of.home().equals(self.home()) && of.life() == self.life()) {
      return usual; // whatever anybody says
    }
    return switch (presence.of(of.home(), of.life())) {
      case PRESENT -> Math.max(usual, presence.patience().toNanos());
      case GONE -> -1;
      case UNKNOWN -> usual;
    };
  }

  /// Returns whether a member was heard a moment ago, so that it may be given something to do.
  public boolean isHeardLately(Heard member) {
    return member.lately && workedNanos - member.heardNanos <= 2 * beatNanos();
  }

  /// Returns how many signs have said that their member leads a term, or a later one.
  public long beats(long term) {
    return led >= term ? beats : 0;
  }

  /// Returns whether signs come through: an own one came back not long ago.
  public boolean isHearing(long now) {
    return ownNumber > 0 && now - ownNanos <= Rhythm.patienceNanos(members.size());
  }

  /// Returns a number that changes with each sign that says something new.
  public long news() {
    return news;
  }

  /// Lets go of the log; the next [#read] goes on.
  @Override
  public void close() {
    open = false;
    inbox.remove(split);
  }
}
