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
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The records that a worker passes over: those the user named, and those that failed under a
/// policy that goes on. What is passed over survives roll-backs, so that the next attempt gets
/// further.
final class BadRecords {
  private record Failed(String operator, String cause) {}

  private final EngineSettings settings;
  private final Map<Place, @Nullable Failed> places = new LinkedHashMap<>();

  BadRecords(EngineSettings settings) {
    this.settings = settings;
    settings.skipped().forEach(place -> places.put(place, null));
  }

  boolean isEmpty() {
    return places.isEmpty();
  }

  boolean contains(Split split, long offset) {
    return places.containsKey(new Place(split.stream(), split.partition(), offset));
  }

  /// Passes a record over from now on.
  void add(Place place, String operator, String cause) {
    places.put(place, new Failed(operator, cause));
  }

  /// Sends a record on its way to the dead-letter topic, if that is the policy: original key, value
  /// and headers, and where and why it failed as further headers.
  ///
  /// @return whether it was sent
  boolean put(RecordBatch batch, int index, Outbox outbox) {
    Place place = new Place(batch.split().stream(), batch.split().partition(), batch.offset(index));
    Failed failed = places.get(place);
    if (failed == null || settings.badInput() != BadInput.DEAD_LETTER) {
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
    header("millrace.topic", place.topic(), out);
    header("millrace.partition", Integer.toString(place.partition()), out);
    header("millrace.offset", Long.toString(place.offset()), out);
    header("millrace.operator", failed.operator, out);
    header("millrace.cause", failed.cause, out);
    out.endHeaders(start);
    return true;
  }

  private static void header(String name, String value, RecordBatch out) {
    Headers.write(name, value.getBytes(StandardCharsets.UTF_8), out.data());
  }
}
