package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.time.InputTime;
import org.jspecify.annotations.Nullable;

/// Whether what is read of a split holds others back in event time. A source's split does not when
/// it has been at its end for a while. Upstream tasks say by themselves whether they do; only of
/// those that were idle before a start and have said nothing since, silence is the answer.
final class Idleness {
  private final InputTime.@Nullable OfSource source;
  private final InputTime.@Nullable OfExchange exchange;
  private final boolean changes;

  /// Whether nothing has come since it was idle, before a start.
  private boolean still;

  /// Whether it goes on, behind what a crash broke off.
  private boolean resumed;

  /// Since when nothing comes; -1 if something does.
  private long silentSinceNanos = -1;

  private Idleness(
      InputTime.@Nullable OfSource source,
      InputTime.@Nullable OfExchange exchange,
      boolean changes) {
    this.source = source;
    this.exchange = exchange;
    this.changes = changes;
  }

  /// Of a source's split.
  ///
  /// @param changes whether it may become idle: the end of a bounded input is awaited, and a
  ///   broadcast table holds nobody back
  static Idleness of(InputTime.OfSource source, boolean changes) {
    return new Idleness(source, null, changes);
  }

  /// Of the tasks that feed a partition of an exchange.
  static Idleness of(InputTime.OfExchange exchange) {
    return new Idleness(null, exchange, true);
  }

  /// Whether a source was idle when its position was committed.
  boolean was() {
    return changes && source != null && source.idle();
  }

  /// Says that nothing has come since it was idle, before a start.
  void still() {
    still = true;
  }

  /// Goes on after a start. Records may lie behind what was idle before it: a source is idle only
  /// if none does, and upstream tasks are once they have said so again or were silent for long.
  void resume() {
    if (resumed) {
      return;
    }
    resumed = true;
    if (exchange != null) {
      exchange.doubt();
    } else if (source != null && !still) {
      source.idle(false);
    }
  }

  /// Whether silence would change anything.
  boolean canChange() {
    return changes && (exchange != null ? exchange.doubts() : source != null && !source.idle());
  }

  /// Records of a source came.
  void heard() {
    silentSinceNanos = -1;
  }

  /// Looks whether it has been silent for long.
  ///
  /// @param atEnd whether all there is of a source was read; does not matter for an exchange
  /// @return whether that changed anything
  boolean look(boolean atEnd, long nowNanos, long patienceNanos) {
    if (exchange == null && !atEnd) {
      silentSinceNanos = -1;
      return false;
    }
    if (silentSinceNanos < 0) {
      silentSinceNanos = nowNanos;
    }
    if (nowNanos - silentSinceNanos < patienceNanos) {
      return false;
    }
    if (exchange != null) {
      exchange.believe();
    } else if (source != null) {
      source.idle(true);
    }
    return true;
  }
}
