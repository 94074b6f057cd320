package dev.millrace.internal.kafka.read;

import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// The splits of a reader, and which of them its fetcher fetches.
final class ReadSplits {
  private final RecordFetcher fetcher;
  private final Map<Split, ReadSplit> all = new LinkedHashMap<>();
  private final Map<TopicPartition, ReadSplit> assigned = new HashMap<>();

  /// Whether the fetcher still has partitions that were given up.
  private boolean reassign;

  private boolean anyFailed;

  ReadSplits(RecordFetcher fetcher) {
    this.fetcher = fetcher;
  }

  ReadSplit add(Split split, Position start) {
    if (all.containsKey(split)) {
      throw new IllegalStateException("Split " + split + " is being read already.");
    }
    ReadSplit added = new ReadSplit(split, start);
    all.put(split, added);
    return added;
  }

  /// Removes a split, which is null if it is not there.
  @Nullable ReadSplit remove(Split split) {
    ReadSplit removed = all.remove(split);
    if (removed != null) {
      unassign(List.of(removed));
      lookForFailures();
    }
    return removed;
  }

  void clear() {
    all.clear();
    assigned.clear();
  }

  ReadSplit get(Split split) {
    ReadSplit found = all.get(split);
    if (found == null) {
      throw new IllegalStateException("Split " + split + " is not being read.");
    }
    return found;
  }

  Collection<ReadSplit> all() {
    return all.values();
  }

  /// Whether a split was not removed, or added anew, in the meantime.
  boolean has(ReadSplit split) {
    return all.get(split.split) == split;
  }

  /// Returns what is fetched of a partition; null if nothing is.
  @Nullable ReadSplit assigned(TopicPartition partition) {
    return assigned.get(partition);
  }

  boolean isAssigned(ReadSplit split) {
    return assigned.get(split.position.partition) == split;
  }

  boolean anyAssigned() {
    return !assigned.isEmpty();
  }

  /// Returns those that are fetched.
  List<ReadSplit> assigned() {
    return List.copyOf(assigned.values());
  }

  /// Returns the positions of those that are fetched.
  List<SplitPosition> positions() {
    return assigned.values().stream().map(each -> each.position).toList();
  }

  /// Has the fetcher fetch more splits.
  void assign(List<ReadSplit> more) {
    more.forEach(each -> assigned.put(each.position.partition, each));
    reassign = false;
    fetcher.assign(positions());
  }

  /// Gives splits up. The fetcher lets go of them at the next [#letGo].
  void unassign(List<ReadSplit> gone) {
    for (ReadSplit split : gone) {
      reassign |= assigned.remove(split.position.partition, split);
    }
  }

  /// Has the fetcher let go of what was given up.
  void letGo() {
    if (reassign) {
      assign(List.of());
    }
  }

  /// Whether a split had failed when they were last looked at.
  boolean anyFailed() {
    return anyFailed;
  }

  /// Looks for splits that have failed.
  ///
  /// @return those
  List<ReadSplit> lookForFailures() {
    List<ReadSplit> lost =
        all.values().stream().filter(each -> each.state == ReadSplit.State.FAILED).toList();
    anyFailed = !lost.isEmpty();
    return lost;
  }
}
