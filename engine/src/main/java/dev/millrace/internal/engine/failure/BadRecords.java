package dev.millrace.internal.engine.failure;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.failure.DeadLetters.Failed;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.ExchangeTime;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.RecordPlace;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The records that a worker passes over: those the user named, and those that failed under a
/// policy that goes on, in the stage in which they did. What is passed over survives roll-backs, so
/// that the next attempt gets further.
public final class BadRecords {
  private final OnError policy;

  /// Several tasks of a stage read these, each at its own pace.
  private final Set<String> broadcasts;

  /// Those the user named, whoever reads them.
  private final Map<Split, NavigableSet<Long>> named = new LinkedHashMap<>();

  private final Map<Reader, NavigableMap<Long, Failed>> places = new LinkedHashMap<>();

  /// The last record of those of which one failed.
  private final Map<Reader, Long> suspects = new LinkedHashMap<>();

  private final DeadLetters letters;

  public BadRecords(ErrorConfig errors) {
    this(errors, Collections.emptySet());
  }

  /// @param broadcasts the streams that several tasks read
  public BadRecords(ErrorConfig errors, Set<String> broadcasts) {
    policy = errors.onError();
    this.broadcasts = broadcasts;
    letters = new DeadLetters(errors.deadLetterTopic());
    for (RecordPlace place : errors.skip()) {
      named.computeIfAbsent(splitOf(place), _ -> new TreeSet<>()).add(place.offset());
    }
  }

  /// The tasks of a stage that read a split: one, or all if it is broadcast.
  private record Reader(int stage, Split split) {}

  private static Split splitOf(RecordPlace place) {
    return new Split(place.topic(), place.partition());
  }

  /// Passes a record over from now on.
  void add(int stage, RecordPlace place, String operator, String cause) {
    put(new Reader(stage, splitOf(place)), place.offset(), new Failed(operator, cause));
  }

  private void put(Reader reader, long offset, Failed failed) {
    places.computeIfAbsent(reader, _ -> new TreeMap<>()).put(offset, failed);
  }

  /// The first record of a part of an input's batch that is to be passed over, or -1. What came
  /// through memory has no place that could be named.
  public int first(int stage, TaskInput input, int from, int to) {
    return input.inMemory() ? -1 : first(stage, input.head(), from, to);
  }

  public int first(int stage, RecordBatch batch, int from, int to) {
    if (from == to || (named.isEmpty() && places.isEmpty())) {
      return -1;
    }
    Split split = batch.split();
    int ofUser = first(named.get(split), batch, from, to);
    NavigableMap<Long, Failed> ofReader = places.get(new Reader(stage, split));
    NavigableSet<Long> failed = ofReader == null ? null : ofReader.navigableKeySet();
    int found = first(failed, batch, from, ofUser < 0 ? to : ofUser);
    return found < 0 ? ofUser : found;
  }

  private static int first(
      @Nullable NavigableSet<Long> offsets, RecordBatch batch, int from, int to) {
    Long offset = offsets == null || from == to ? null : offsets.ceiling(batch.offset(from));
    if (offset != null) {
      for (int i = from; i < to && batch.offset(i) <= offset; i++) {
        if (batch.offset(i) == offset) {
          return i;
        }
      }
    }
    return -1;
  }

  /// Forgets what lies before a committed position: it is not read again.
  public void forget(int stage, Split split, long before) {
    if ((places.isEmpty() && suspects.isEmpty()) || broadcasts.contains(split.stream())) {
      return;
    }
    Reader reader = new Reader(stage, split);
    Long suspect = suspects.get(reader);
    if (suspect != null && suspect < before) {
      suspects.remove(reader);
    }
    NavigableMap<Long, Failed> ofReader = places.get(reader);
    if (ofReader != null) {
      ofReader.headMap(before).clear();
      if (ofReader.isEmpty()) {
        places.remove(reader);
      }
    }
  }

  /// Has the records of a split be processed one by one up to one of them, to see which fails.
  ///
  /// @return false if they are already
  boolean suspect(int stage, RecordPlace last) {
    Long before = suspects.put(new Reader(stage, splitOf(last)), last.offset());
    return before == null || before != last.offset();
  }

  /// Whether a record is one of those.
  public boolean isSuspect(int stage, TaskInput input, int index) {
    if (suspects.isEmpty() || input.inMemory()) {
      return false;
    }
    RecordBatch batch = input.head();
    Long last = suspects.get(new Reader(stage, batch.split()));
    return last != null && index < batch.size() && batch.offset(index) <= last;
  }

  /// Passes over the next record of an input, and sends it on its way to the dead-letter topic, if
  /// that is the policy. Of a stream that every task reads, the first one does that.
  ///
  /// @param millis what the clock shows
  public void passOver(
      TaskInput input, Plan.TaskId task, long millis, Outbox outbox, BadCounts counts) {
    RecordBatch batch = input.head();
    boolean isFirst = task.partition() == 0 && !task.isPart();
    if (input.isBroadcast() ? isFirst : input.keys().has(batch, input.next(), new Bytes())) {
      long timestamp = batch.timestamp(input.next());
      long time = input.isExchange() ? ExchangeTime.ofTimestamp(timestamp) : timestamp;
      counts.add(put(task.stage(), batch, input.next(), time, millis, outbox));
    }
  }

  /// Sends a record on its way to the dead-letter topic, if that is the policy.
  ///
  /// @param time its event time, or what its topic has for that
  /// @param millis what the clock shows
  /// @return whether it was sent
  boolean put(int stage, RecordBatch batch, int index, long time, long millis, Outbox outbox) {
    NavigableMap<Long, Failed> ofReader = places.get(new Reader(stage, batch.split()));
    Failed failed = ofReader == null ? null : ofReader.get(batch.offset(index));
    if (failed == null || policy != OnError.DEAD_LETTER) {
      return false;
    }
    letters.record(batch, index, time, failed, millis, outbox);
    return true;
  }
}
