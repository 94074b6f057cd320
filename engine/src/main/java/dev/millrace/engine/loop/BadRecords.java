package dev.millrace.engine.loop;

import dev.millrace.engine.chain.Outbox;
import dev.millrace.engine.loop.DeadLetters.Failed;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.settings.EngineSettings;
import dev.millrace.engine.settings.EngineSettings.BadInput;
import dev.millrace.engine.settings.EngineSettings.Place;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/// The records that a worker passes over: those the user named, and those that failed under a
/// policy that goes on. What is passed over survives roll-backs, so that the next attempt gets
/// further.
final class BadRecords {
  /// What the user named has not failed.
  private static final Failed NAMED = new Failed("", "");

  private final EngineSettings settings;

  /// Several tasks read these, each at its own pace.
  private final Set<String> broadcasts;

  private final Map<Split, NavigableMap<Long, Failed>> places = new LinkedHashMap<>();

  /// By split the last record of those of which one failed.
  private final Map<Split, Long> suspects = new LinkedHashMap<>();

  private final DeadLetters letters;

  BadRecords(EngineSettings settings) {
    this(settings, Collections.emptySet());
  }

  /// @param broadcasts the streams that several tasks read
  BadRecords(EngineSettings settings, Set<String> broadcasts) {
    this.settings = settings;
    this.broadcasts = broadcasts;
    letters = new DeadLetters(settings.deadLetterTopic());
    settings.skipped().forEach(place -> put(place, NAMED));
  }

  /// Passes a record over from now on.
  void add(Place place, String operator, String cause) {
    put(place, new Failed(operator, cause));
  }

  private void put(Place place, Failed failed) {
    places
        .computeIfAbsent(new Split(place.topic(), place.partition()), _ -> new TreeMap<>())
        .put(place.offset(), failed);
  }

  /// The first record of a part of an input's batch that is to be passed over, or -1. What came
  /// through memory has no place that could be named.
  int first(TaskInput input, int from, int to) {
    return input.inMemory() ? -1 : first(input.head(), from, to);
  }

  int first(RecordBatch batch, int from, int to) {
    NavigableMap<Long, Failed> ofSplit = places.get(batch.split());
    Long offset = ofSplit == null || from == to ? null : ofSplit.ceilingKey(batch.offset(from));
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
  void forget(Split split, long before) {
    Long suspect = suspects.get(split);
    if (suspect != null && suspect < before && !broadcasts.contains(split.stream())) {
      suspects.remove(split);
    }
    NavigableMap<Long, Failed> ofSplit = places.get(split);
    if (ofSplit != null && !broadcasts.contains(split.stream())) {
      ofSplit.headMap(before).clear();
      if (ofSplit.isEmpty()) {
        places.remove(split);
      }
    }
  }

  /// Has the records of a split be processed one by one up to one of them, to see which fails.
  ///
  /// @return false if they are already
  boolean suspect(Place last) {
    Long before = suspects.put(new Split(last.topic(), last.partition()), last.offset());
    return before == null || before != last.offset();
  }

  /// Whether a record is one of those.
  boolean isSuspect(TaskInput input, int index) {
    return !input.inMemory() && isSuspect(input.head(), index);
  }

  boolean isSuspect(RecordBatch batch, int index) {
    Long last = suspects.isEmpty() ? null : suspects.get(batch.split());
    return last != null && index < batch.size() && batch.offset(index) <= last;
  }

  /// Passes over the next record of an input, and sends it on its way to the dead-letter topic, if
  /// that is the policy. Of a stream that every task reads, the first one does that.
  ///
  /// @param millis what the clock shows
  void passOver(
      TaskInput input, Plan.TaskId task, long millis, Outbox outbox, TaskMetrics metrics) {
    boolean tells = !input.isBroadcast() || task.partition() == 0;
    if (tells && put(input.head(), input.next(), millis, outbox)) {
      metrics.addDeadLetter();
    }
    metrics.addSkipped();
  }

  /// Sends a record on its way to the dead-letter topic, if that is the policy.
  ///
  /// @param millis what the clock shows
  /// @return whether it was sent
  boolean put(RecordBatch batch, int index, long millis, Outbox outbox) {
    Failed failed = Objects.requireNonNull(places.get(batch.split())).get(batch.offset(index));
    if (failed == null || failed.equals(NAMED) || settings.badInput() != BadInput.DEAD_LETTER) {
      return false;
    }
    letters.record(batch, index, failed, millis, outbox);
    return true;
  }
}
