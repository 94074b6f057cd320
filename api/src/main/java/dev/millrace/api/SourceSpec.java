package dev.millrace.api;

import dev.millrace.api.connector.Start;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Serde;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What an application says of a topic that it reads, but for its keys.
///
/// @param valueSerde as it was given, for whichever topic
/// @param start where a new application begins; null leaves it to the configuration
record SourceSpec<V>(
    TopicSettings topic,
    Serde<V> valueSerde,
    TimeSpec<V> time,
    boolean bounded,
    @Nullable Start start) {

  /// What an application says of the times of a topic's events.
  ///
  /// @param eventTime null for the timestamp of the record
  /// @param disorder how far behind its predecessors an event may be
  /// @param watermark null if it follows from the event times
  /// @param maxAhead how far ahead an event may be and still move time
  /// @param refused how far ahead an event is bad input; null if none is
  record TimeSpec<V>(
      @Nullable EventTime<V> eventTime,
      Duration disorder,
      @Nullable Watermark<V> watermark,
      Duration maxAhead,
      @Nullable Duration refused) {

    TimeSpec<V> withEventTime(EventTime<V> newTime, Duration newDisorder) {
      return new TimeSpec<>(newTime, newDisorder, watermark, maxAhead, refused);
    }

    TimeSpec<V> withWatermark(Watermark<V> own) {
      return new TimeSpec<>(eventTime, disorder, own, maxAhead, refused);
    }

    TimeSpec<V> withMaxAhead(Duration limit) {
      return new TimeSpec<>(eventTime, disorder, watermark, limit, refused);
    }

    TimeSpec<V> withRefused(Duration ahead) {
      return new TimeSpec<>(eventTime, disorder, watermark, maxAhead, ahead);
    }

    private TimeSpec<Optional<V>> ofPresent() {
      EventTime<V> of = eventTime;
      Watermark<V> own = watermark;
      return new TimeSpec<>(
          of == null ? null : value -> of.of(value.orElseThrow()),
          disorder,
          own == null
              ? null
              : (before, value, timestamp) -> own.after(before, value.orElseThrow(), timestamp),
          maxAhead,
          refused);
    }
  }

  static <V> SourceSpec<V> of(TopicSettings topic, Serde<V> valueSerde) {
    TimeSpec<V> time = new TimeSpec<>(null, Duration.ZERO, null, Duration.ofDays(1), null);
    return new SourceSpec<>(topic, valueSerde, time, false, null);
  }

  SourceSpec<V> with(TimeSpec<V> newTime) {
    return new SourceSpec<>(topic, valueSerde, newTime, bounded, start);
  }

  SourceSpec<V> withStart(Start newStart) {
    return new SourceSpec<>(topic, valueSerde, time, bounded, newStart);
  }

  SourceSpec<V> withBounded() {
    return new SourceSpec<>(topic, valueSerde, time, true, start);
  }

  SourceSpec<Optional<V>> withDeletions() {
    return new SourceSpec<>(
        topic, new WithDeletions<>(valueSerde), time.ofPresent(), bounded, start);
  }

  /// The same of one of several topics.
  SourceSpec<V> one(String name) {
    return new SourceSpec<>(topic.one(name), valueSerde, time, bounded, start);
  }
}
