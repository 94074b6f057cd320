package dev.millrace.api.connector;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Serde;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Where records come from: a description, not a connection. `Kafka.source` returns one.
public interface Source<V> {

  /// Returns the name of the stream: the topic.
  String stream();

  /// Returns the serde of the keys; null if they stay bytes.
  default @Nullable Serde<?> keySerde() {
    return null;
  }

  /// Returns the serde of the values.
  Serde<V> valueSerde();

  /// Returns what takes a record's event time from its value; null for the timestamp of the record.
  @Nullable EventTime<V> eventTime();

  /// Returns how far the event time of a record may be before that of its predecessors in its
  /// partition without being late.
  Duration disorder();

  /// Returns the source's own watermark, for which [disorder][#disorder] does not count; null if
  /// the watermark follows from event times and the disorder.
  default @Nullable Watermark<V> watermark() {
    return null;
  }

  /// Returns how far ahead of the clock, and of the last record that was believed, a record's event
  /// time may be and still move the watermark; a day by default. A record that is further ahead is
  /// processed and counted, so a wrong clock does not close all windows. A hundred such records of
  /// a partition in a row, each within that of the one before, are believed, so a stream whose
  /// times lie in the future is processed, too.
  default Duration maxAhead() {
    return Duration.ofDays(1);
  }

  /// Returns how far ahead of the clock an event time makes a record bad input; null if none does.
  default @Nullable Duration refusedAhead() {
    return null;
  }

  /// Returns whether reading ends at the ends that the splits had when the application first read
  /// them.
  boolean bounded();

  /// Returns the same source, [bounded][#bounded].
  Source<V> asBounded();

  /// Returns where a new application begins; null leaves it to the configuration.
  @Nullable Start start();

  /// Returns the topic of the log that it reads; null if it reads several, or something else.
  default @Nullable TopicSettings topic() {
    return null;
  }

  /// Returns the topics of the log that it reads; null if it reads one, or something else.
  default @Nullable LogTopics<? extends Source<V>> topics() {
    return null;
  }

  /// Returns whether it reads something else than topics of the log. A connector opens it then, as
  /// `dev.millrace.spi.ExternalSource` says.
  default boolean isExternal() {
    return topic() == null && topics() == null;
  }

  /// Returns the value that a record without one stands for; null if such a record is bad input.
  default @Nullable Object deletion() {
    return null;
  }

  /// Returns the serde of the same values in state and between tasks, where each has bytes.
  default Serde<?> keptSerde() {
    return valueSerde();
  }
}
