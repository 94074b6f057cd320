package dev.millrace.api;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Mapper;
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
  private final Written<K, V> written;

  KafkaKeyedStream(TopicSettings settings, Serde<K> keySerde, Serde<V> valueSerde) {
    this(settings, keySerde, valueSerde, null, null, Written.nothing());
  }

  private KafkaKeyedStream(
      TopicSettings settings,
      Serde<K> keySerde,
      Serde<V> valueSerde,
      @Nullable EventTime<V> eventTime,
      @Nullable Watermark<V> watermark,
      Written<K, V> written) {
    this.settings = settings;
    this.keySerde = keySerde;
    this.valueSerde = valueSerde;
    this.eventTime = eventTime;
    this.watermark = watermark;
    this.written = written;
  }

  private KafkaKeyedStream<K, V> with(TopicSettings newSettings) {
    return new KafkaKeyedStream<>(newSettings, keySerde, valueSerde, eventTime, watermark, written);
  }

  private KafkaKeyedStream<K, V> with(Written<K, V> newWritten) {
    return new KafkaKeyedStream<>(settings, keySerde, valueSerde, eventTime, watermark, newWritten);
  }

  /// Takes the event time from the value; events of a partition come in its order.
  public KafkaKeyedStream<K, V> eventTime(EventTime<V> time) {
    return new KafkaKeyedStream<>(settings, keySerde, valueSerde, time, watermark, written);
  }

  /// Takes the event time from the value; an event may be up to `disorder` behind those before it
  /// in its partition.
  public KafkaKeyedStream<K, V> eventTime(EventTime<V> time, Duration disorder) {
    return new KafkaKeyedStream<>(
        settings.withDisorder(disorder), keySerde, valueSerde, time, watermark, written);
  }

  /// Takes the watermark of each partition from the application, instead of the latest event time
  /// less the disorder, of which nothing needs to be said then.
  public KafkaKeyedStream<K, V> watermark(Watermark<V> own) {
    return new KafkaKeyedStream<>(settings, keySerde, valueSerde, eventTime, own, written);
  }

  /// Where a new application begins to read.
  public KafkaKeyedStream<K, V> startAt(Start start) {
    return with(settings.withStart(start));
  }

  /// Reading ends at the ends that the partitions have when the application first reads them.
  public KafkaKeyedStream<K, V> asBounded() {
    return with(settings.withBounded());
  }

  /// How far ahead of the clock, and of the events before it, an event may be and still move time;
  /// a day unless said otherwise. See [Source#maxAhead].
  public KafkaKeyedStream<K, V> maxAhead(Duration limit) {
    return with(settings.withMaxAhead(limit));
  }

  @Override
  public Duration maxAhead() {
    return settings.maxAhead();
  }

  /// How far ahead of the clock an event is bad input, for which `errors.on-error` says whether it
  /// stops the job, is passed over or is a dead letter. None is unless this is said.
  public KafkaKeyedStream<K, V> refuseAhead(Duration ahead) {
    return with(settings.withRefused(ahead));
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
    return with(settings.withRetractions());
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
            : (before, value, timestamp) -> own.after(before, value.orElseThrow(), timestamp),
        written.ofPresent());
  }

  @Override
  public @Nullable Object deletion() {
    return valueSerde instanceof WithDeletions<?> ? Optional.empty() : null;
  }

  @Override
  public Serde<?> keptSerde() {
    return valueSerde instanceof WithDeletions<?> own ? own.kept() : valueSerde;
  }

  /// Writes each record under a key that is taken from its value, whatever key it has. A stream
  /// without keys can be written to this topic then, and none needs an exchange: records of a key
  /// that are made by several tasks come in any order, those of one task in theirs. Results that
  /// are corrected are refused, as one task would delete what another one has written, unless the
  /// topic is to have them [with their retractions][#withRetractions]; `groupBy(name,
  /// key).stream()` brings a key's records together, and in order, before they are written.
  ///
  /// As a source the topic has the keys of its records.
  ///
  /// @param key a pure function; null is bad input
  public KafkaKeyedStream<K, V> key(Mapper<? super V, ? extends K> key) {
    return with(written.withKey(key));
  }

  /// Sets the headers of the records that are written. Otherwise a record has those that it came
  /// with; what an operator makes of several records, or of time that has passed, came with none.
  ///
  /// The function is asked of whatever is written. A record that takes back another came with no
  /// headers, and gets its header behind those that the function sets. Where nothing takes the
  /// place of a result, and its key is written without a value, the function is given what is taken
  /// back: [Record#isRetraction] tells. A record for which it fails is bad input.
  public KafkaKeyedStream<K, V> headers(HeaderFunction<K, V> headers) {
    return with(written.withHeaders(headers));
  }

  /// Takes the timestamps of the records that are written from their values, in place of their
  /// event times, of which nothing changes. A record without a value has its event time. What the
  /// topic does not take as a timestamp is bad input, or [clamped][Timestamps#CLAMPED].
  ///
  /// @param time a pure function
  public KafkaKeyedStream<K, V> timestamp(EventTime<V> time) {
    return with(written.withTimestamp(time));
  }

  @Override
  public Written<K, V> written() {
    return written;
  }

  /// Which timestamps records get that are written: their event times unless this is said.
  public KafkaKeyedStream<K, V> timestamps(Timestamps newTimestamps) {
    return with(settings.withTimestamps(newTimestamps));
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
