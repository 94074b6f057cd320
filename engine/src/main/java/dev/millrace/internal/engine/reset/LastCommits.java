package dev.millrace.internal.engine.reset;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The last commit of each task of an application, as its changelog has it.
///
/// @param tasks how many there are
/// @param records by the partition of the changelog; those that have never committed are left out
public record LastCommits(int tasks, Map<Split, CommitRecord> records) {
  private static final Duration POLL = Duration.ofMillis(20);

  /// How far from the end a first look begins; a task's commit is the last that it writes.
  private static final long FIRST_LOOK = 1_000;

  private static final long WIDENING = 16;

  public LastCommits {
    records = Collections.unmodifiableMap(new TreeMap<>(records));
  }

  /// The partitions of an application's changelog; none if it does not exist.
  static List<Split> changelog(Log log, String application) {
    String topic = Plan.changelogTopic(application);
    TopicInfo info = log.topics(List.of(topic)).get(topic);
    List<Split> splits = new ArrayList<>();
    for (int i = 0; info != null && i < info.partitions(); i++) {
      splits.add(new Split(topic, i));
    }
    return splits;
  }

  /// Reads what is decided by now.
  static LastCommits read(Log log, String application, Waiting waiting) {
    List<Split> changelog = changelog(log, application);
    Map<Split, CommitRecord> records = new TreeMap<>();
    try (SplitReader reader = log.reader("reset")) {
      log.offsets(changelog)
          .forEach((split, offsets) -> {
            CommitRecord last = last(reader, split, offsets, waiting);
            if (last != null) {
              records.put(split, last);
            }
          });
    }
    return new LastCommits(changelog.size(), records);
  }

  private static @Nullable CommitRecord last(
      SplitReader reader, Split split, Log.Offsets offsets, Waiting waiting) {
    for (long back = FIRST_LOOK; ; back *= WIDENING) {
      long from = Math.max(offsets.start(), offsets.stableEnd() - back);
      CommitRecord found = last(reader, split, from, offsets.stableEnd(), waiting);
      if (found != null || from == offsets.start()) {
        return found;
      }
    }
  }

  private static @Nullable CommitRecord last(
      SplitReader reader, Split split, long from, long end, Waiting waiting) {
    if (from >= end) {
      return null;
    }
    Part part = new Part(reader, split, end, from);
    reader.add(split, Position.of(from));
    waiting.until(
        part::readOn,
        () -> "%s could be read only up to offset %d of %d.".formatted(split, part.next, end));
    reader.remove(split);
    return part.last;
  }

  /// A part of a changelog that is being read.
  private static final class Part {
    private final SplitReader reader;
    private final Split split;
    private final long end;
    private final Bytes key = new Bytes();
    private long next;
    private @Nullable CommitRecord last;

    Part(SplitReader reader, Split split, long end, long from) {
      this.reader = reader;
      this.split = split;
      this.end = end;
      next = from;
    }

    /// @return whether the end is reached
    boolean readOn() {
      RecordBatch batch = reader.poll(POLL);
      while (batch != null) {
        try {
          if (batch.split().equals(split)) {
            take(batch);
            next = batch.nextOffset();
          }
        } finally {
          batch.release();
        }
        batch = next < end ? reader.poll(Duration.ZERO) : null;
      }
      return next >= end;
    }

    private void take(RecordBatch batch) {
      for (int i = 0; i < batch.size(); i++) {
        if (batch.hasKey(i) && batch.key(i, key).equals(CommitRecord.KEY)) {
          last = CommitRecord.read(batch, i);
        }
      }
    }
  }

  /// What the application goes on from: of a split that several tasks read, the least.
  public Map<Split, Long> positions() {
    Map<Split, Long> positions = new TreeMap<>();
    for (CommitRecord record : records.values()) {
      for (CommitRecord.Input input : record.inputs()) {
        if (input.upstream().isEmpty()) {
          positions.merge(input.split(), input.position().offset(), Math::min);
        }
      }
    }
    return positions;
  }

  /// The ends of bounded splits; those of others are left out.
  public Map<Split, Long> ends() {
    Map<Split, Long> ends = new TreeMap<>();
    for (CommitRecord record : records.values()) {
      for (CommitRecord.Input input : record.inputs()) {
        if (input.end() >= 0) {
          ends.put(input.split(), input.end());
        }
      }
    }
    return ends;
  }

  /// Sees to it that tasks can go on from other positions with what they keep.
  ///
  /// @throws ResetException if one of them has come to the end of its input, and event time with it
  public void requireNotEnded(Map<Split, Long> to) {
    for (Split task : moved(to).keySet()) {
      CommitRecord record = Objects.requireNonNull(records.get(task));
      if (record.watermark() == InputTime.ENDED) {
        throw new ResetException(
            "The application has reached the end of its input, and so has event time: records that"
                + " are read again would be too late for its state. Nothing was changed. Reset it"
                + " without its state (without --keep-state).");
      }
    }
  }

  /// The commit records that another position of a split changes, as they are then.
  Map<Split, CommitRecord> moved(Map<Split, Long> to) {
    Map<Split, CommitRecord> moved = new TreeMap<>();
    records.forEach((task, record) -> {
      List<CommitRecord.Input> inputs =
          record.inputs().stream().map(input -> moved(input, to)).toList();
      if (!inputs.equals(record.inputs())) {
        moved.put(task, record.next(inputs));
      }
    });
    return moved;
  }

  private static CommitRecord.Input moved(CommitRecord.Input input, Map<Split, Long> to) {
    Long offset = input.upstream().isEmpty() ? to.get(input.split()) : null;
    if (offset == null || offset == input.position().offset()) {
      return input;
    }
    boolean ended = input.end() >= 0 && offset >= input.end();
    return new CommitRecord.Input(
        input.split(),
        Position.of(Objects.requireNonNull(offset)),
        input.end(),
        input.maxTimestamp(),
        false,
        ended,
        input.upstream());
  }
}
