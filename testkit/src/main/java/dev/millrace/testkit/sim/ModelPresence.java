package dev.millrace.testkit.sim;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Presence;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A service that knows which processes live, as ZooKeeper does, and that may lie: to some of those
/// who ask it calls processes dead that live, or alive that are dead, or says nothing of them.
///
/// What it says follows from a seed and the time, so equal runs hear the same.
public final class ModelPresence {
  private static final List<Presence.Sight> SIGHTS = List.of(Presence.Sight.values());
  private static final long FOR_EVER = Long.MAX_VALUE;

  /// For how long it stays with what it says of a process.
  private static final long WINDOW_NANOS = Duration.ofSeconds(2).toNanos();

  private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();
  private static final long SEEN_NANOS = Duration.ofMillis(50).toNanos();

  private final Clock clock;
  private final long mix;
  private final Kind kind;
  private final Duration timeout;
  private final Map<String, Session> sessions = new TreeMap<>();
  private boolean honest;

  private enum Kind {
    /// As without such a service.
    NONE,
    HONEST,
    LYING
  }

  private static final class Session {
    private final long fromNanos;
    private long untilNanos = FOR_EVER;

    private Session(long fromNanos) {
      this.fromNanos = fromNanos;
    }
  }

  private ModelPresence(Clock clock, Kind kind, Duration timeout, long mix) {
    this.clock = clock;
    this.kind = kind;
    this.timeout = timeout;
    this.mix = mix;
  }

  /// Returns none, or one that lies or does not.
  ///
  /// @param seed says which, and when it lies
  public static ModelPresence drawn(Clock clock, Seed seed) {
    return new ModelPresence(
        clock,
        seed.pick(List.of(Kind.values())),
        seed.between(Duration.ofSeconds(1), Duration.ofSeconds(6)),
        seed.nextLong());
  }

  /// Returns one that knows nothing of anybody.
  public static ModelPresence none(Clock clock) {
    return new ModelPresence(clock, Kind.NONE, Duration.ZERO, 0);
  }

  /// Returns how long a process that is there may be silent.
  public Duration patience() {
    return kind == Kind.NONE ? Duration.ZERO : timeout;
  }

  /// Lies no more.
  public void beHonest() {
    honest = true;
  }

  /// Notices some time later that all processes of a name have ended.
  public void ended(String member) {
    end(member, clock.nanos() + timeout.toNanos());
  }

  private void end(String member, long atNanos) {
    sessions.forEach((name, session) -> {
      if (name.startsWith(member + "/")) {
        session.untilNanos = Math.min(session.untilNanos, atNanos);
      }
    });
  }

  /// Returns what a process knows by it.
  ///
  /// @param viewer the process
  public Presence seenBy(String viewer) {
    return kind == Kind.NONE ? Presence.none() : new Seen(viewer);
  }

  private final class Seen implements Presence {
    private final String viewer;

    private Seen(String viewer) {
      this.viewer = viewer;
    }

    @Override
    public void enter(String member, long life, Runnable changed) {
      sessions.put(member + "/" + life, new Session(clock.nanos() + SEEN_NANOS));
    }

    @Override
    public Sight of(String member, long life) {
      long now = clock.nanos();
      String name = member + "/" + life;
      if (kind == Kind.LYING && !honest) {
        long drawn = new Seed(mix + now / WINDOW_NANOS).fork(viewer + " " + name).value();
        if (Math.floorMod(drawn, 4) == 0) {
          return SIGHTS.get(Math.floorMod(drawn >> 8, SIGHTS.size()));
        }
      }
      Session session = sessions.get(name);
      if (session == null || now < session.fromNanos) {
        return Sight.UNKNOWN;
      }
      return now < session.untilNanos ? Sight.PRESENT : Sight.GONE;
    }

    @Override
    public long changes() {
      return clock.nanos() / LOOK_NANOS;
    }

    @Override
    public Duration patience() {
      return timeout;
    }

    @Override
    public void close() {
      end(viewer, clock.nanos());
    }
  }
}
