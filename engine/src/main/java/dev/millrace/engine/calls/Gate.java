package dev.millrace.engine.calls;

import dev.millrace.api.Call;

/// Says when calls of one operator may begin: so many at once, so many in a second, and none for a
/// while when several in a row have failed. Shared by the tasks of a process. Thread-safe.
public final class Gate {
  private static final long SECOND = 1_000_000_000L;

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

  Gate(Call.Limits limits) {
    this.limits = limits;
    everyNanos = limits.perSecond() == 0 ? 0 : (long) (SECOND / limits.perSecond());
  }

  /// Lets a call begin, or not yet.
  synchronized boolean begin(long nowNanos) {
    if (underWay >= limits.inFlight() || isOpen(nowNanos) || isEarly(nowNanos)) {
      return false;
    }
    underWay++;
    trying = open;
    nextNanos =
        begunAny && nextNanos - nowNanos > -everyNanos
            ? nextNanos + everyNanos
            : nowNanos + everyNanos;
    begunAny = true;
    return true;
  }

  private boolean isEarly(long nowNanos) {
    return everyNanos > 0 && begunAny && nextNanos - nowNanos > 0;
  }

  private boolean isOpen(long nowNanos) {
    return open && (trying || nowNanos - openedNanos < limits.breakFor().toNanos());
  }

  /// A call has come to its end.
  ///
  /// @return whether calls pause because of it, and did not before
  synchronized boolean ended(boolean succeeded, long nowNanos) {
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

  /// Whether calls pause, until one has succeeded.
  synchronized boolean isPaused() {
    return open;
  }

  /// A call is given up, whatever comes of it.
  synchronized void abandoned() {
    underWay--;
    trying = false;
  }
}
