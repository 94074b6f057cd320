package dev.millrace.api;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Serde;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Where records come from: a description, not a connection. [Kafka#source] makes one.
public interface Source<V> {

  /// The name of the stream: the topic.
  String stream();

  /// Returns the serde of the keys; null if they stay bytes.
  default @Nullable Serde<?> keySerde() {
    return null;
  }

  Serde<V> valueSerde();

  /// Tells a record's event time; null for the timestamp of the record.
  @Nullable EventTime<V> eventTime();

  /// How far behind its predecessors in a partition a record's event time may be and still not be
  /// late.
  Duration disorder();

  /// The source's own idea of its watermark, for which [disorder][#disorder] does not count; null
  /// if it follows from event times and the disorder.
  default @Nullable Watermark<V> watermark() {
    return null;
  }

  /// How far ahead of the clock, and of the last record that was believed, a record's event time
  /// may be and still move the watermark; a day unless said otherwise. A record that is further
  /// ahead is processed and counted, and a wrong clock does not close all windows. A hundred such
  /// records of a partition one behind the other, each within that of the one before, are believed:
  /// so a stream whose times lie in the future is processed all the same.
  default Duration maxAhead() {
    return Duration.ofDays(1);
  }

  /// How far ahead of the clock a record's event time makes it bad input; null if none does.
  default @Nullable Duration refusedAhead() {
    return null;
  }

  /// Whether reading ends at the ends that the splits had when the application first read them.
  boolean bounded();

  /// Returns the same source, [bounded][#bounded].
  Source<V> asBounded();

  /// Where a new application begins; null leaves it to the configuration.
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
