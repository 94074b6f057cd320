package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads splits with a [RecordFetcher].
///
/// A split that is added waits for a [PositionCheck] before the fetcher sees it, and what was
/// fetched waits for one whenever the fetcher has heard of the topics anew. What a poll gave is
/// kept in the splits as batches; they are returned in turn.
public final class KafkaReader implements SplitReader {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaReader.class);
  private static final long NAP_NANOS = 500_000;
  private static final long MILLI_NANOS = 1_000_000;
  private static final long RECHECK_NANOS = 250_000_000;

  /// How many batches of a split are fetched ahead while its owner takes none.
  private static final int AHEAD = 2;

  private final Admin admin;
  private final EndCheck ends;
  private final RecordFetcher fetcher;
  private final Map<Split, ReadSplit> splits = new LinkedHashMap<>();
  private final Map<TopicPartition, ReadSplit> assigned = new HashMap<>();

  /// Each split with batches that are ready, once.
  private final ArrayDeque<ReadSplit> turn = new ArrayDeque<>();

  private final long mostAheadBytes;
  private long aheadBytes;
  private @Nullable PositionCheck check;
  private boolean checkWanted;

  /// Whether the consumer still has partitions that were given up.
  private boolean reassign;

  private int checkedUpdates;
  private long lastCheckNanos;
  private int failed;
  private boolean closed;
  private volatile boolean woken;

  /// @param mostAheadBytes what may be fetched ahead
  public KafkaReader(RecordFetcher fetcher, Admin admin, long mostAheadBytes) {
    this.fetcher = fetcher;
    this.admin = admin;
    this.mostAheadBytes = mostAheadBytes;
    ends = new EndCheck(admin);
  }

  @Override
  public void add(Split split, Position start) {
    requireOpen();
    if (splits.containsKey(split)) {
      throw new IllegalStateException("Split " + split + " is being read already.");
    }
    ReadSplit added = new ReadSplit(split, start);
    splits.put(split, added);
    if (start.offset() < 0) {
      added.lose("offsets begin at 0.");
      failed++;
    }
    checkWanted = true;
  }

  @Override
  public void remove(Split split) {
    requireOpen();
    ReadSplit removed = splits.remove(split);
    if (removed == null) {
      return;
    }
    if (removed.state == ReadSplit.State.FAILED) {
      failed--;
    }
    drop(removed);
    unassign(List.of(removed));
  }

  @Override
  public void pause(Split split) {
    split(split).paused = true;
  }

  @Override
  public void resume(Split split) {
    split(split).paused = false;
  }

  @Override
  public long endOffset(Split asked) {
    ReadSplit split = split(asked);
    if (assigned.get(split.partition) == split) {
      split.stableEnd = Math.max(split.stableEnd, fetcher.stableEnd(split));
    }
    return ends.endOf(split, assigned.values(), System.nanoTime());
  }

  @Override
  public boolean isFound(Split asked) {
    ReadSplit split = split(asked);
    if (split.failure != null) {
      throw ReadSplit.failure(split.failure, splits.values());
    }
    return split.state == ReadSplit.State.READING;
  }

  private ReadSplit split(Split split) {
    requireOpen();
    ReadSplit found = splits.get(split);
    if (found == null) {
      throw new IllegalStateException("Split " + split + " is not being read.");
    }
    return found;
  }

  @Override
  public @Nullable RecordBatch poll(Duration atMost) {
    requireOpen();
    long start = System.nanoTime();
    long patience = atMost.toNanos();
    while (true) {
      RecordBatch batch = nextReady();
      if (batch != null) {
        return batch;
      }
      long left = patience - (System.nanoTime() - start);
      if (!fetch(Math.max(0, left))) {
        return null;
      }
      if (left <= 0) {
        return nextReady();
      }
    }
  }

  private @Nullable RecordBatch nextReady() {
    advanceCheck();
    throwFailure();
    return isTrusted() ? nextInTurn() : null;
  }

  private void throwFailure() {
    if (failed > 0) {
      for (ReadSplit split : splits.values()) {
        if (split.failure != null && !split.paused) {
          throw ReadSplit.failure(split.failure, splits.values());
        }
      }
    }
  }

  /// Nothing is returned that was fetched after the consumer heard of topics and before a check.
  private boolean isTrusted() {
    return checkedUpdates == fetcher.metadataUpdates();
  }

  private @Nullable RecordBatch nextInTurn() {
    for (int i = turn.size(); i > 0; i--) {
      ReadSplit split = turn.remove();
      if (!split.hasReady()) {
        turn.add(split);
        continue;
      }
      RecordBatch batch = split.ready.remove();
      count(split);
      if (!split.ready.isEmpty()) {
        turn.add(split);
      }
      if (split.held && !hasEnough(split)) {
        split.held = false;
        if (assigned.get(split.partition) == split) {
          fetcher.resume(split);
        }
      }
      return batch;
    }
    return null;
  }

  /// Waits for records, or for a check.
  ///
  /// @return false if the wait was ended by somebody
  private boolean fetch(long nanos) {
    if (assigned.isEmpty() || !isTrusted()) {
      return nap(nanos);
    }
    long wait = inWholeMillis(check == null ? nanos : Math.min(nanos, NAP_NANOS));
    if (reassign) {
      reassign = false;
      fetcher.assign(assigned.values());
    }
    try {
      take(fetcher.poll(Duration.ofNanos(wait)));
      return true;
    } catch (WakeupException e) {
      woken = false;
      return false;
    } catch (InterruptException e) {
      throw new LogException(
          Kind.UNAVAILABLE, "The thread was interrupted while it was reading.", e);
    } catch (KafkaException e) {
      take(e);
      return true;
    }
  }

  /// Kafka's clients wait in milliseconds; in less they would not wait but spin.
  private static long inWholeMillis(long nanos) {
    return (nanos + MILLI_NANOS - 1) / MILLI_NANOS * MILLI_NANOS;
  }

  private boolean nap(long nanos) {
    if (nanos > 0 && !woken) {
      LockSupport.parkNanos(this, Math.min(nanos, NAP_NANOS));
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new LogException(Kind.UNAVAILABLE, "The thread was interrupted while it was reading.");
    }
    if (woken && nanos > 0) {
      woken = false;
      return false;
    }
    return true;
  }

  private void take(Collection<ReadSplit> moved) {
    for (ReadSplit split : moved) {
      count(split);
      if (!turn.contains(split)) {
        turn.add(split);
      }
      if (!split.held && hasEnough(split)) {
        split.held = true;
        fetcher.pause(split);
      }
    }
  }

  /// Keeps account of the memory of what is ready.
  private void count(ReadSplit split) {
    long bytes = split.readyBytes();
    aheadBytes += bytes - split.countedBytes;
    split.countedBytes = bytes;
  }

  /// What is not wanted now, or is much of what may be held, is not fetched on.
  private boolean hasEnough(ReadSplit split) {
    return split.ready.size() >= AHEAD
        || (!split.ready.isEmpty() && (split.paused || aheadBytes > mostAheadBytes));
  }

  @Override
  public long aheadBytes() {
    return aheadBytes + fetcher.heldBytes();
  }

  /// What the consumer says instead of records.
  private void take(KafkaException thrown) {
    switch (thrown) {
      case LogTruncationException e -> e.partitions().forEach(partition -> truncated(partition, e));
      // Asked again, the cluster says what range it has.
      case OffsetOutOfRangeException e -> recheck(e);
      case TopicAuthorizationException e -> failTopics(e.unauthorizedTopics(), e);
      case InvalidTopicException e -> failTopics(e.invalidTopics(), e);
      case AuthenticationException e -> throw KafkaFailures.of("Reading from Kafka", e);
      default -> failNamed(thrown);
    }
  }

  private void truncated(TopicPartition partition, LogTruncationException thrown) {
    ReadSplit split = assigned.get(partition);
    if (split == null) {
      return;
    }
    OffsetAndMetadata diverged = thrown.divergentOffsets().get(partition);
    split.lose(
        ("leader epoch %d ended before it%s. The log lost its end and was written again; find out"
                + " why before anything else.")
            .formatted(split.leaderEpoch, diverged == null ? "" : ", at " + diverged.offset()));
    failed++;
    unassign(List.of(split));
  }

  private void recheck(OffsetOutOfRangeException thrown) {
    List<ReadSplit> again = new ArrayList<>();
    for (TopicPartition partition : thrown.partitions()) {
      ReadSplit split = assigned.get(partition);
      if (split != null) {
        split.state = ReadSplit.State.UNCHECKED;
        again.add(split);
      }
    }
    unassign(again);
    checkWanted = true;
  }

  private void failTopics(Iterable<String> topics, KafkaException thrown) {
    List<ReadSplit> lost = new ArrayList<>();
    for (String topic : topics) {
      for (ReadSplit split : List.copyOf(assigned.values())) {
        if (split.split.stream().equals(topic)) {
          fail(split, thrown);
          lost.add(split);
        }
      }
    }
    unassign(lost);
  }

  /// The consumer names the partition of a corrupt batch in its message only.
  private void failNamed(KafkaException thrown) {
    String told = KafkaFailures.text(thrown) + " " + thrown.getMessage();
    for (ReadSplit split : List.copyOf(assigned.values())) {
      String name = Pattern.quote(split.partition.toString());
      if (Pattern.compile("(?<![\\w.-])" + name + "(?![0-9])").matcher(told).find()) {
        fail(split, thrown);
        unassign(List.of(split));
        return;
      }
    }
    throw new LogException(
        Kind.REFUSED, "Reading from Kafka failed: " + KafkaFailures.text(thrown), thrown);
  }

  private void fail(ReadSplit split, KafkaException thrown) {
    String what = "Reading %s from offset %d".formatted(split.split, split.next);
    LogException why = KafkaFailures.of(split.split, what, thrown);
    // What a retry could mend is retried by the consumer.
    split.fail(
        why.kind() == Kind.UNAVAILABLE
            ? new LogException(
                Kind.REFUSED, split.split, Objects.requireNonNull(why.getMessage()), thrown)
            : why);
    failed++;
  }

  private void advanceCheck() {
    if (check == null) {
      check = startCheck();
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
      checkWanted = true;
      return;
    }
    check = null;
    lastCheckNanos = now;
    checkedUpdates = running.metadataUpdates();
    finish(running);
  }

  private @Nullable PositionCheck startCheck() {
    if (!checkWanted
        && isTrusted()
        && !(anyMissing() && System.nanoTime() - lastCheckNanos > RECHECK_NANOS)) {
      return null;
    }
    checkWanted = false;
    List<ReadSplit> looked =
        splits.values().stream().filter(each -> each.state != ReadSplit.State.FAILED).toList();
    if (looked.isEmpty()) {
      checkedUpdates = fetcher.metadataUpdates();
      return null;
    }
    return new PositionCheck(admin, looked, fetcher.metadataUpdates());
  }

  private boolean anyMissing() {
    for (ReadSplit split : splits.values()) {
      if (split.missingSinceNanos != 0 && split.state == ReadSplit.State.READING) {
        return true;
      }
    }
    return false;
  }

  private void finish(PositionCheck done) {
    List<ReadSplit> lost =
        splits.values().stream().filter(each -> each.state == ReadSplit.State.FAILED).toList();
    for (ReadSplit split : lost) {
      drop(split);
    }
    failed = lost.size();
    unassign(lost);
    List<ReadSplit> found =
        done.found().stream().filter(each -> splits.get(each.split) == each).toList();
    if (found.isEmpty()) {
      return;
    }
    found.forEach(each -> assigned.put(each.partition, each));
    reassign = false;
    fetcher.assign(assigned.values());
    for (ReadSplit split : found) {
      fetcher.seek(split);
      split.state = ReadSplit.State.READING;
      if (split.held) {
        fetcher.pause(split);
      } else {
        // It may be remembered from an earlier reading.
        fetcher.resume(split);
      }
    }
  }

  /// Forgets what was fetched.
  private void drop(ReadSplit split) {
    turn.remove(split);
    split.ready.forEach(RecordBatch::release);
    split.ready.clear();
    count(split);
  }

  /// The consumer lets go of them at the next poll.
  private void unassign(List<ReadSplit> gone) {
    for (ReadSplit split : gone) {
      reassign |= assigned.remove(split.partition, split);
    }
  }

  @Override
  public void wakeup() {
    woken = true;
    fetcher.wakeup();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    splits.values().forEach(this::drop);
    splits.clear();
    assigned.clear();
    fetcher.close();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("This reader is closed.");
    }
  }
}
