package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.commit.StandingClaims;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// The claims of an application, read by the reader of the [Follower] while they are needed and for
/// a while after that: whoever takes several tasks over, one after the other, begins to read once.
final class FollowedClaims {
  private static final Duration KEPT = Duration.ofMinutes(1);

  private final Log log;
  private final Split split;
  private final SplitReader reader;
  private final StandingClaims claims = new StandingClaims();
  private boolean begun;
  private boolean reads;
  private long neededNanos;

  FollowedClaims(Log log, Split split, SplitReader reader) {
    this.log = log;
    this.split = split;
    this.reader = reader;
  }

  /// Returns what was read.
  StandingClaims claims() {
    return claims;
  }

  /// Has claims be read from now on, if they are not. Waits for the log.
  void need(long nowNanos) {
    neededNanos = nowNanos;
    if (!begun) {
      claims.begin(Objects.requireNonNull(log.offsets(List.of(split)).get(split)).start());
      begun = true;
    }
    if (!reads) {
      reader.add(split, Position.of(claims.next()));
      reads = true;
    }
  }

  /// They are not needed now.
  void rest(long nowNanos) {
    if (reads && nowNanos - neededNanos > KEPT.toNanos()) {
      end();
    }
  }

  private void end() {
    if (reads) {
      reads = false;
      reader.remove(split);
    }
  }

  /// Takes a batch in if it has claims.
  ///
  /// @return whether it has
  boolean take(RecordBatch batch) {
    if (!batch.split().equals(split)) {
      return false;
    }
    claims.take(batch);
    return true;
  }

  /// Reading has failed.
  ///
  /// @return whether it was that of claims, which begins anew when they are needed
  boolean lost(Split failed) {
    if (!failed.equals(split)) {
      return false;
    }
    end();
    begun = false;
    return true;
  }
}
