package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.commit.StandingClaims;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The claims of an application, read all the time by the reader of the [Follower]: whoever takes a
/// task over knows at once who else claims it.
final class FollowedClaims {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedClaims.class);
  private static final Duration RETRY = Duration.ofMillis(100);

  private final Log log;
  private final Split split;
  private final SplitReader reader;
  private final StandingClaims claims = new StandingClaims();
  private boolean reads;
  private boolean failed;
  private long failedNanos;

  FollowedClaims(Log log, Split split, SplitReader reader) {
    this.log = log;
    this.split = split;
    this.reader = reader;
  }

  /// Returns where they are.
  Split split() {
    return split;
  }

  /// Returns what was read.
  StandingClaims claims() {
    return claims;
  }

  /// Returns whether they are read.
  boolean areRead() {
    return reads;
  }

  /// Begins to read if that is not done; waits for the log.
  void read(long nowNanos) {
    if (!reads && !(failed && nowNanos - failedNanos < RETRY.toNanos())) {
      try {
        claims.begin(Objects.requireNonNull(log.offsets(List.of(split)).get(split)).start());
        reader.add(split, Position.of(claims.next()));
        reads = true;
      } catch (LogException e) {
        LOG.debug("Claims cannot be read now, trying again.", e);
        failed = true;
        failedNanos = nowNanos;
      }
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
  /// @return whether it was that of claims, which begins anew
  boolean lost(Split failed) {
    if (!failed.equals(split)) {
      return false;
    }
    reads = false;
    reader.remove(split);
    return true;
  }
}
