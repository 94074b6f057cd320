package dev.millrace.internal.engine.calls;

import dev.millrace.api.Call;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Says when calls of one operator may begin: so many at once, so many in a second, and none for a
/// while when several in a row have failed. Shared by the tasks of a process. Thread-safe.
///
/// Tasks take turns, as one that has much to ask would otherwise begin a call whenever one ends,
/// and leave nothing to the others. Whoever is refused stands in a line, and whoever asks leaves a
/// call to each of those ahead of it. One that does not come back for a while, since its worker has
/// other things to do, holds up nobody until it does.
public final class Gate {
  private static final long SECOND = 1_000_000_000L;

  /// For how long a call is left to one that was refused and has not asked again.
  private static final long PATIENCE = SECOND / 10;

  private final Call.Limits limits;
  private final long everyNanos;
  private int underWay;
  private int failedInARow;

  /// When the next call may begin, of those that are counted by the second.
  private long nextNanos;

  private boolean begunAny;

  /// Whether calls pause, or one of them tries whether they need not any more.
  private boolean open;

  private boolean trying;
  private long openedNanos;

  /// Those that were refused, in the order of their turns.
  private final Set<Asker> line = new LinkedHashSet<>();

  /// The calls of the operator in one task.
  static final class Asker {
    private final Runnable wakeup;
    private long askedNanos;

    /// @param wakeup wakes its worker; thread-safe
    Asker(Runnable wakeup) {
      this.wakeup = wakeup;
    }
  }

  Gate(Call.Limits limits) {
    this.limits = limits;
    everyNanos = limits.perSecond() == 0 ? 0 : (long) (SECOND / limits.perSecond());
  }

  /// Lets a call begin, or not yet: then the asker stands in the line, and asks again until one
  /// may, or leaves.
  synchronized boolean begin(Asker asker, long nowNanos) {
    asker.askedNanos = nowNanos;
    int ahead = ahead(asker, nowNanos);
    if (ahead >= free(nowNanos)) {
      line.add(asker);
      return false;
    }
    line.remove(asker);
    underWay++;
    trying = open;
    nextNanos = following(ahead, nowNanos);
    begunAny = true;
    return true;
  }

  /// To how many a call is left before the asker has its own.
  private int ahead(Asker asker, long nowNanos) {
    int ahead = 0;
    for (Asker each : line) {
      if (each == asker) {
        return ahead;
      }
      ahead += isAway(each, nowNanos) ? 0 : 1;
    }
    return ahead;
  }

  private static boolean isAway(Asker asker, long nowNanos) {
    return nowNanos - asker.askedNanos >= PATIENCE;
  }

  /// How many calls may begin now.
  private long free(long nowNanos) {
    long free = (long) limits.inFlight() - underWay;
    if (open) {
      boolean pauses = trying || nowNanos - openedNanos < limits.breakFor().toNanos();
      free = pauses ? 0 : Math.min(free, 1);
    }
    return everyNanos > 0 ? Math.min(free, due(nowNanos)) : free;
  }

  /// The same by the second.
  private long due(long nowNanos) {
    long late = nowNanos - nextNanos;
    if (!begunAny) {
      return 1;
    }
    return late < 0 ? 0 : late / everyNanos + 1;
  }

  /// When the next call may begin behind one that begins. What was not used is not made up for, but
  /// what is left to those ahead stays.
  private long following(int ahead, long nowNanos) {
    boolean unused = everyNanos > 0 && due(nowNanos) > ahead + 1;
    return begunAny && !unused
        ? nextNanos + everyNanos
        : nowNanos - ahead * everyNanos + everyNanos;
  }

  /// An asker is closed.
  void leave(Asker asker, long nowNanos) {
    synchronized (this) {
      line.remove(asker);
    }
    wake(asker, nowNanos);
  }

  /// A call has come to its end.
  ///
  /// @return whether calls pause because of it, and did not before
  boolean ended(Asker asker, boolean succeeded, long nowNanos) {
    boolean opens = ended(succeeded, nowNanos);
    wake(asker, nowNanos);
    return opens;
  }

  private synchronized boolean ended(boolean succeeded, long nowNanos) {
    underWay--;
    if (succeeded) {
      failedInARow = 0;
      open = false;
      trying = false;
      return false;
    }
    failedInARow++;
    if (limits.breakAfter() == 0 || failedInARow < limits.breakAfter()) {
      return false;
    }
    boolean opens = !open;
    open = true;
    trying = false;
    openedNanos = nowNanos;
    return opens;
  }

  /// A call is given up, whatever comes of it.
  void abandoned(Asker asker, long nowNanos) {
    synchronized (this) {
      underWay--;
      trying = false;
    }
    wake(asker, nowNanos);
  }

  /// Wakes the worker of whose turn it is through this, unless that is who is here.
  private void wake(Asker here, long nowNanos) {
    Asker next = last(nowNanos);
    if (next != null && next != here) {
      next.wakeup.run();
    }
  }

  /// The last of those in the line who may begin a call.
  private synchronized @Nullable Asker last(long nowNanos) {
    long free = line.isEmpty() ? 0 : free(nowNanos);
    for (Asker each : line) {
      if (!isAway(each, nowNanos) && --free == 0) {
        return each;
      }
    }
    return null;
  }

  /// Whether calls pause, until one has succeeded.
  public synchronized boolean isPaused() {
    return open;
  }
}
