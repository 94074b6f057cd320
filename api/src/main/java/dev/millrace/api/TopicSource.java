package dev.millrace.api;

import dev.millrace.api.SourceSpec.TimeSpec;
import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Source;
import dev.millrace.api.connector.Start;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Serde;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What topics to read have in common, with keys and without.
///
/// @param <S> the type itself
abstract sealed class TopicSource<V, S extends TopicSource<V, S>> implements Source<V>
    permits KafkaSource, KafkaKeyedSource {
  private final SourceSpec<V> spec;
  private final Serde<V> valueSerde;
  private final @Nullable LogTopics<S> several;

  TopicSource(SourceSpec<V> spec) {
    this.spec = spec;
    valueSerde = spec.valueSerde().forTopic(spec.topic().name(), false);
    several = LogTopics.of(spec.topic(), name -> with(spec.one(name)));
  }

  /// The same source, described in another way.
  abstract S with(SourceSpec<V> newSpec);

  final SourceSpec<V> spec() {
    return spec;
  }

  private S with(TimeSpec<V> time) {
    return with(spec.with(time));
  }

  /// Takes the event time from the value; the events of a partition of a topic are in its order.
  ///
  /// ```java
  /// Kafka.source("orders").value(json(Order.class)).eventTime(Order::at)
  /// ```
  ///
  /// @param time a pure function
  public S eventTime(EventTime<V> time) {
    return with(spec.time().withEventTime(time, disorder()));
  }

  /// Takes the event time from the value; events may be out of order.
  ///
  /// ```java
  /// Kafka.source("orders").value(json(Order.class)).eventTime(Order::at, Duration.ofMinutes(1))
  /// ```
  ///
  /// @param time a pure function
  /// @param disorder how much earlier an event may be than those before it in its partition of its
  ///   topic
  public S eventTime(EventTime<V> time, Duration disorder) {
    if (disorder.isNegative()) {
      throw new IllegalArgumentException(
          "The disorder of topic '" + stream() + "' cannot be negative; found " + disorder + ".");
    }
    return with(spec.time().withEventTime(time, disorder));
  }

  /// Takes the watermark of each partition from the application, instead of the latest event time
  /// less the disorder, which need not be given then.
  ///
  /// ```java
  /// Kafka.source("readings")
  ///     .value(json(Reading.class))
  ///     .watermark((before, reading, timestamp) -> reading.isHourly() ? reading.at() : before)
  /// ```
  public S watermark(Watermark<V> own) {
    return with(spec.time().withWatermark(own));
  }

  /// Begins to read a topic that the application has not read before at its oldest record. Unless
  /// this or another start is set, the configuration says where to begin.
  ///
  /// ```java
  /// Kafka.source("orders").value(json(Order.class)).startAtEarliest()
  /// ```
  public S startAtEarliest() {
    return with(spec.withStart(Start.earliest()));
  }

  /// Begins to read a topic that the application has not read before with what comes from now on.
  ///
  /// ```java
  /// Kafka.source("orders").value(json(Order.class)).startAtLatest()
  /// ```
  public S startAtLatest() {
    return with(spec.withStart(Start.latest()));
  }

  /// Begins to read a topic that the application has not read before at the first record whose
  /// timestamp is not before a time.
  ///
  /// ```java
  /// Kafka.source("orders").value(json(Order.class)).startAt(Instant.parse("2026-01-01T00:00:00Z"))
  /// ```
  public S startAt(Instant time) {
    return with(spec.withStart(Start.at(time)));
  }

  /// Ends reading at the ends that the partitions have when the application first reads them.
  ///
  /// ```java
  /// Kafka.source("orders").value(json(Order.class)).asBounded()
  /// ```
  @Override
  public S asBounded() {
    return with(spec.withBounded());
  }

  /// Sets how far ahead of the clock, and of the events before it, an event may be and still move
  /// time; a day by default. See [Source#maxAhead].
  ///
  /// ```java
  /// Kafka.source("orders").value(json(Order.class)).eventTime(Order::at).maxAhead(Duration.ofHours(1))
  /// ```
  public S maxAhead(Duration limit) {
    if (limit.isNegative()) {
      throw new IllegalArgumentException(
          "Events of topic '" + stream() + "' cannot be ahead by " + limit + ".");
    }
    return with(spec.time().withMaxAhead(limit));
  }

  /// Sets how far ahead of the clock an event is bad input, for which `errors.on-error` says
  /// whether it stops the job, is skipped or becomes a dead letter. By default no event is.
  ///
  /// ```java
  /// Kafka.source("orders").value(json(Order.class)).eventTime(Order::at).refuseAhead(Duration.ofDays(1))
  /// ```
  public S refuseAhead(Duration ahead) {
    if (ahead.isNegative()) {
      throw new IllegalArgumentException(
          "Events of topic '" + stream() + "' cannot be refused from " + ahead + " ahead on.");
    }
    return with(spec.time().withRefused(ahead));
  }

  /// Returns one of several topics; the same object at each call.
  ///
  /// ```java
  /// Kafka.sources("sent-by-air", "sent-by-sea").value(json(Sent.class)).topic("sent-by-air")
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
  public Serde<?> keptSerde() {
    return valueSerde instanceof WithDeletions<?> own ? own.kept() : valueSerde;
  }

  @Override
  public @Nullable Object deletion() {
    return valueSerde instanceof WithDeletions<?> ? Optional.empty() : null;
  }

  @Override
  public @Nullable EventTime<V> eventTime() {
    return spec.time().eventTime();
  }

  @Override
  public Duration disorder() {
    return spec.time().disorder();
  }

  @Override
  public @Nullable Watermark<V> watermark() {
    return spec.time().watermark();
  }

  @Override
  public Duration maxAhead() {
    return spec.time().maxAhead();
  }

  @Override
  public @Nullable Duration refusedAhead() {
    return spec.time().refused();
  }

  @Override
  public boolean bounded() {
    return spec.bounded();
  }

  @Override
  public @Nullable Start start() {
    return spec.start();
  }
}
