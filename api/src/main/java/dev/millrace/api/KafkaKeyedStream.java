package dev.millrace.api;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Serde;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A topic whose keys and values have a type; partitioned by the key.
public final class KafkaKeyedStream<K, V> implements KeyedSource<K, V>, KeyedSink<K, V>, LogTopic {
  private final TopicSettings settings;
  private final Serde<K> keySerde;
  private final Serde<V> valueSerde;
  private final @Nullable EventTime<V> eventTime;
  private final @Nullable Watermark<V> watermark;

  KafkaKeyedStream(TopicSettings settings, Serde<K> keySerde, Serde<V> valueSerde) {
    this(settings, keySerde, valueSerde, null, null);
  }

  private KafkaKeyedStream(
      TopicSettings settings,
      Serde<K> keySerde,
      Serde<V> valueSerde,
      @Nullable EventTime<V> eventTime,
      @Nullable Watermark<V> watermark) {
    this.settings = settings;
    this.keySerde = keySerde;
    this.valueSerde = valueSerde;
    this.eventTime = eventTime;
    this.watermark = watermark;
  }

  /// Takes the event time from the value; events of a partition come in its order.
  public KafkaKeyedStream<K, V> eventTime(EventTime<V> time) {
    return new KafkaKeyedStream<>(settings, keySerde, valueSerde, time, watermark);
  }

  /// Takes the event time from the value; an event may be up to `disorder` behind those before it
  /// in its partition.
  public KafkaKeyedStream<K, V> eventTime(EventTime<V> time, Duration disorder) {
    return new KafkaKeyedStream<>(
        settings.withDisorder(disorder), keySerde, valueSerde, time, watermark);
  }

  /// Takes the watermark of each partition from the application, instead of the latest event time
  /// less the disorder, of which nothing needs to be said then.
  public KafkaKeyedStream<K, V> watermark(Watermark<V> own) {
    return new KafkaKeyedStream<>(settings, keySerde, valueSerde, eventTime, own);
  }

  /// Where a new application begins to read.
  public KafkaKeyedStream<K, V> startAt(Start start) {
    return new KafkaKeyedStream<>(
        settings.withStart(start), keySerde, valueSerde, eventTime, watermark);
  }

  /// Reading ends at the ends that the partitions have when the application first reads them.
  public KafkaKeyedStream<K, V> asBounded() {
    return new KafkaKeyedStream<>(
        settings.withBounded(), keySerde, valueSerde, eventTime, watermark);
  }

  /// How far ahead of the clock, and of the events before it, an event may be and still move time;
  /// a day unless said otherwise. See [Source#maxAhead].
  public KafkaKeyedStream<K, V> maxAhead(Duration limit) {
    return new KafkaKeyedStream<>(
        settings.withMaxAhead(limit), keySerde, valueSerde, eventTime, watermark);
  }

  @Override
  public Duration maxAhead() {
    return settings.maxAhead();
  }

  /// How far ahead of the clock an event is bad input, for which `errors.on-error` says whether it
  /// stops the job, is passed over or is a dead letter. None is unless this is said.
  public KafkaKeyedStream<K, V> refuseAhead(Duration ahead) {
    return new KafkaKeyedStream<>(
        settings.withRefused(ahead), keySerde, valueSerde, eventTime, watermark);
  }

  @Override
  public @Nullable Duration refusedAhead() {
    return settings.refused();
  }

  /// Also writes what is taken back when a result is corrected: a record with the old key, value
  /// and timestamp and a header `millrace.retraction` without a value, before the one that takes
  /// its place. Otherwise only the new result is written, and where none takes the old one's place,
  /// the key without a value.
  public KafkaKeyedStream<K, V> withRetractions() {
    return new KafkaKeyedStream<>(
        settings.withRetractions(), keySerde, valueSerde, eventTime, watermark);
  }

  @Override
  public boolean retractions() {
    return settings.retractions();
  }

  /// The same topic with the records that have no value, which delete their keys: each is an empty
  /// value. As a source, it would take such a record for bad input otherwise, and its own timestamp
  /// is its event time. As a sink, it writes an empty value as such a record, which needs a key.
  public KafkaKeyedStream<K, Optional<V>> withDeletions() {
    EventTime<V> time = eventTime;
    Watermark<V> own = watermark;
    return new KafkaKeyedStream<>(
        settings,
        keySerde,
        new WithDeletions<>(valueSerde),
        time == null ? null : value -> time.of(value.orElseThrow()),
        own == null
            ? null
            : (before, value, timestamp) -> own.after(before, value.orElseThrow(), timestamp));
  }

  @Override
  public @Nullable Object deletion() {
    return valueSerde instanceof WithDeletions<?> ? Optional.empty() : null;
  }

  @Override
  public Serde<?> keptSerde() {
    return valueSerde instanceof WithDeletions<?> own ? own.kept() : valueSerde;
  }

  /// Which timestamps records get that are written: their event times unless this is said.
  public KafkaKeyedStream<K, V> timestamps(Timestamps newTimestamps) {
    return new KafkaKeyedStream<>(
        settings.withTimestamps(newTimestamps), keySerde, valueSerde, eventTime, watermark);
  }

  @Override
  public Timestamps timestamps() {
    return settings.timestamps();
  }

  @Override
  public TopicSettings settings() {
    return settings;
  }

  @Override
  public String stream() {
    return settings.name();
  }

  @Override
  public Serde<K> keySerde() {
    return keySerde;
  }

  @Override
  public Serde<V> valueSerde() {
    return valueSerde;
  }

  @Override
  public @Nullable EventTime<V> eventTime() {
    return eventTime;
  }

  @Override
  public @Nullable Watermark<V> watermark() {
    return watermark;
  }

  @Override
  public Duration disorder() {
    return settings.disorder();
  }

  @Override
  public boolean bounded() {
    return settings.bounded();
  }

  @Override
  public @Nullable Start start() {
    return settings.start();
  }
}
