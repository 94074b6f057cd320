package dev.millrace.engine.loop;

import dev.millrace.api.serde.Bytes;
import dev.millrace.engine.chain.Outbox;
import dev.millrace.engine.settings.EngineSettings;
import dev.millrace.engine.settings.EngineSettings.BadInput;
import dev.millrace.engine.settings.EngineSettings.Place;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
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
  private record Failed(String operator, String cause) {}

  /// What the user named has not failed.
  private static final Failed NAMED = new Failed("", "");

  private final EngineSettings settings;

  /// Several tasks read these, each at its own pace.
  private final Set<String> broadcasts;

  private final Map<Split, NavigableMap<Long, Failed>> places = new LinkedHashMap<>();

  BadRecords(EngineSettings settings) {
    this(settings, Collections.emptySet());
  }

  /// @param broadcasts the streams that several tasks read
  BadRecords(EngineSettings settings, Set<String> broadcasts) {
    this.settings = settings;
    this.broadcasts = broadcasts;
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

  /// The first record of a part of a batch that is to be passed over, or -1.
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
    NavigableMap<Long, Failed> ofSplit = places.get(split);
    if (ofSplit != null && !broadcasts.contains(split.stream())) {
      ofSplit.headMap(before).clear();
      if (ofSplit.isEmpty()) {
        places.remove(split);
      }
    }
  }

  /// Sends a record on its way to the dead-letter topic, if that is the policy: original key, value
  /// and headers, and where and why it failed as further headers.
  ///
  /// @return whether it was sent
  boolean put(RecordBatch batch, int index, Outbox outbox) {
    Split split = batch.split();
    Failed failed = Objects.requireNonNull(places.get(split)).get(batch.offset(index));
    if (failed == null || failed.equals(NAMED) || settings.badInput() != BadInput.DEAD_LETTER) {
      return false;
    }
    RecordBatch out = outbox.append(settings.deadLetterTopic(), 0, batch.timestamp(index));
    Bytes view = new Bytes();
    if (batch.hasKey(index)) {
      batch.key(index, view);
      out.key(view.array(), view.offset(), view.length());
    }
    if (batch.hasValue(index)) {
      batch.value(index, view);
      out.value(view.array(), view.offset(), view.length());
    }
    int start = out.data().length();
    batch.headers(index, view);
    Headers.begin(Headers.count(view) + 5, out.data());
    Headers.visit(view, (name, value) -> Headers.write(name, value, out.data()));
    header("millrace.topic", split.stream(), out);
    header("millrace.partition", Integer.toString(split.partition()), out);
    header("millrace.offset", Long.toString(batch.offset(index)), out);
    header("millrace.operator", failed.operator, out);
    header("millrace.cause", failed.cause, out);
    out.endHeaders(start);
    return true;
  }

  private static void header(String name, String value, RecordBatch out) {
    Headers.write(name, value.getBytes(StandardCharsets.UTF_8), out.data());
  }
}
