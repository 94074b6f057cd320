package dev.millrace.internal.kafka.read;

import dev.millrace.spi.LogException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The [PositionCheck]s of a reader, one after the other: of splits that were added, before the
/// fetcher sees them, and of all whenever the fetcher has heard of topics.
final class SplitChecks {
  private static final Logger LOG = LoggerFactory.getLogger(SplitChecks.class);
  private static final long RECHECK_NANOS = 250_000_000;

  private final Admin admin;
  private final RecordFetcher fetcher;
  private final ReadSplits splits;
  private final Consumer<ReadSplit> drop;
  private @Nullable PositionCheck check;
  private boolean wanted;

  /// What the fetcher had heard of topics at the last check.
  private int checkedUpdates;

  private long lastCheckNanos;

  /// @param drop forgets what was fetched of a split
  SplitChecks(Admin admin, RecordFetcher fetcher, ReadSplits splits, Consumer<ReadSplit> drop) {
    this.admin = admin;
    this.fetcher = fetcher;
    this.splits = splits;
    this.drop = drop;
  }

  /// Asks for a check.
  void want() {
    wanted = true;
  }

  boolean isUnderWay() {
    return check != null;
  }

  /// Whether what was fetched may be returned: nothing is that came after the fetcher heard of
  /// topics and before a check.
  boolean isTrusted() {
    return checkedUpdates == fetcher.metadataUpdates();
  }

  /// Goes on with the check under way, or begins one if it is due. Never waits.
  void advance() {
    if (check == null) {
      check = start();
    }
    if (check == null) {
      return;
    }
    PositionCheck running = check;
    long now = System.nanoTime();
    try {
      if (!running.isDone(now)) {
        return;
      }
    } catch (LogException e) {
      LOG.warn("Positions cannot be looked at, trying again: {}", e.getMessage());
      check = null;
      wanted = true;
      return;
    }
    check = null;
    lastCheckNanos = now;
    checkedUpdates = running.metadataUpdates();
    finish(running);
  }

  private @Nullable PositionCheck start() {
    if (!wanted
        && isTrusted()
        && !(anyMissing() && System.nanoTime() - lastCheckNanos > RECHECK_NANOS)) {
      return null;
    }
    wanted = false;
    List<ReadSplit> looked =
        splits.all().stream().filter(each -> each.state != ReadSplit.State.FAILED).toList();
    if (looked.isEmpty()) {
      checkedUpdates = fetcher.metadataUpdates();
      return null;
    }
    return new PositionCheck(admin, looked, fetcher.metadataUpdates());
  }

  private boolean anyMissing() {
    for (ReadSplit split : splits.all()) {
      if (split.missingSinceNanos != 0 && split.state == ReadSplit.State.READING) {
        return true;
      }
    }
    return false;
  }

  private void finish(PositionCheck done) {
    List<ReadSplit> lost = splits.lookForFailures();
    lost.forEach(drop);
    splits.unassign(lost);
    List<ReadSplit> found = done.found().stream().filter(splits::has).toList();
    if (found.isEmpty()) {
      return;
    }
    splits.assign(found);
    for (ReadSplit split : found) {
      fetcher.seek(split.position);
      split.state = ReadSplit.State.READING;
      if (split.held) {
        fetcher.pause(split.position);
      } else {
        // It may be remembered from an earlier reading.
        fetcher.resume(split.position);
      }
    }
  }
}
