package dev.millrace.api;

import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.api.connector.Written;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.HeaderFunction;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serde;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What topics to write have in common, with keys and without.
///
/// @param <T> the keys of the streams that they take
/// @param <K> the keys that are written
/// @param <S> the type itself
abstract sealed class TopicSink<T, K, V, S extends TopicSink<T, K, V, S>> implements Sink<T, V>
    permits KafkaSink, KafkaKeyedSink, RekeyedSink {
  private final SinkSpec<K, V> spec;
  private final Serde<V> valueSerde;
  private final @Nullable LogTopics<S> several;

  TopicSink(SinkSpec<K, V> spec) {
    this.spec = spec;
    valueSerde = spec.valueSerde().forTopic(spec.topic().name(), false);
    several = LogTopics.of(spec.topic(), name -> with(spec.one(name)));
  }

  /// The same sink, described in another way.
  abstract S with(SinkSpec<K, V> newSpec);

  final SinkSpec<K, V> spec() {
    return spec;
  }

  /// Also writes retractions when a result is corrected: a record with the old key, value and
  /// timestamp and a header `millrace.retraction` without a value, before the new result. Unless
  /// this is said, only the new result is written, and where there is none, the key without a
  /// value.
  ///
  /// ```java
  /// counts.to(Kafka.sink("counts").key(Serdes.string()).value(Serdes.longs()).withRetractions())
  /// ```
  public S withRetractions() {
    return with(spec.withRetractions());
  }

  /// Sets the headers of the records that are written. Unless this is said, a record keeps those
  /// that it was read with; a result of several records, or of time that has passed, has none.
  ///
  /// ```java
  /// Kafka.sink("orders")
  ///     .key(Serdes.string())
  ///     .value(json(Order.class))
  ///     .headers((record, headers) -> headers.add("shop", record.value().shop().getBytes(UTF_8)))
  /// ```
  ///
  /// The function is called for everything that is written. A retraction has no headers of its own,
  /// and its header is added after those that the function sets. Where a result is retracted
  /// without a new one, and its key is written without a value, the function is given what is
  /// retracted: [Record#isRetraction] tells. A record for which the function fails is bad input.
  public S headers(HeaderFunction<K, V> headers) {
    return with(spec.withHeaders(headers));
  }

  /// Takes the timestamps of the records that are written from their values, instead of their event
  /// times, which do not change. A record without a value has its event time. What the topic does
  /// not take as a timestamp is bad input, or [clamped][Timestamps#CLAMPED].
  ///
  /// ```java
  /// Kafka.sink("orders").value(json(Order.class)).timestamp(Order::at)
  /// ```
  ///
  /// @param time a pure function
  public S timestamp(EventTime<V> time) {
    return with(spec.withTimestamp(time));
  }

  /// Sets which timestamps the records that are written have; by default their event times.
  ///
  /// ```java
  /// Kafka.sink("orders").value(json(Order.class)).timestamps(Timestamps.CLAMPED)
  /// ```
  public S timestamps(Timestamps newTimestamps) {
    return with(spec.with(newTimestamps));
  }

  /// Returns one of several topics; the same object at each call.
  ///
  /// ```java
  /// Kafka.sinks("sent-by-air", "sent-by-sea").value(json(Sent.class)).topic("sent-by-air")
  /// ```
  ///
  /// @throws IllegalArgumentException if it is none of them
  public S topic(String name) {
    if (several == null) {
      throw new IllegalArgumentException("'%s' is one topic.".formatted(stream()));
    }
    return several.topic(name);
  }

  @Override
  public @Nullable TopicSettings topic() {
    return several == null ? spec.topic() : null;
  }

  @Override
  public @Nullable LogTopics<S> topics() {
    return several;
  }

  @Override
  public String stream() {
    return spec.topic().name();
  }

  @Override
  public Serde<V> valueSerde() {
    return valueSerde;
  }

  @Override
  public @Nullable Object deletion() {
    return valueSerde instanceof WithDeletions<?> ? Optional.empty() : null;
  }

  @Override
  public Written<K, V> written() {
    return spec.written();
  }

  @Override
  public boolean retractions() {
    return spec.retractions();
  }

  @Override
  public Timestamps timestamps() {
    return spec.timestamps();
  }
}
