package dev.millrace.api;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A topic whose values have a type and whose keys stay bytes.
public final class KafkaStream<V> implements Source<V>, Sink<V>, LogTopic {
  private final TopicSettings settings;
  private final Serde<V> valueSerde;
  private final @Nullable EventTime<V> eventTime;
  private final @Nullable Watermark<V> watermark;
  private final Written<Bytes, V> written;

  KafkaStream(TopicSettings settings, Serde<V> valueSerde) {
    this(settings, valueSerde, null, null, Written.nothing());
  }

  private KafkaStream(
      TopicSettings settings,
      Serde<V> valueSerde,
      @Nullable EventTime<V> eventTime,
      @Nullable Watermark<V> watermark,
      Written<Bytes, V> written) {
    this.settings = settings;
    this.valueSerde = valueSerde;
    this.eventTime = eventTime;
    this.watermark = watermark;
    this.written = written;
  }

  private KafkaStream<V> with(TopicSettings newSettings) {
    return new KafkaStream<>(newSettings, valueSerde, eventTime, watermark, written);
  }

  private KafkaStream<V> with(Written<Bytes, V> newWritten) {
    return new KafkaStream<>(settings, valueSerde, eventTime, watermark, newWritten);
  }

  /// Takes the event time from the value; events of a partition come in its order.
  public KafkaStream<V> eventTime(EventTime<V> time) {
    return new KafkaStream<>(settings, valueSerde, time, watermark, written);
  }

  /// Takes the event time from the value; an event may be up to `disorder` behind those before it
  /// in its partition.
  public KafkaStream<V> eventTime(EventTime<V> time, Duration disorder) {
    return new KafkaStream<>(settings.withDisorder(disorder), valueSerde, time, watermark, written);
  }

  /// Takes the watermark of each partition from the application, instead of the latest event time
  /// less the disorder, of which nothing needs to be said then.
  public KafkaStream<V> watermark(Watermark<V> own) {
    return new KafkaStream<>(settings, valueSerde, eventTime, own, written);
  }

  /// Where a new application begins to read.
  public KafkaStream<V> startAt(Start start) {
    return with(settings.withStart(start));
  }

  /// Reading ends at the ends that the partitions have when the application first reads them.
  public KafkaStream<V> asBounded() {
    return with(settings.withBounded());
  }

  /// How far ahead of the clock, and of the events before it, an event may be and still move time;
  /// a day unless said otherwise. See [Source#maxAhead].
  public KafkaStream<V> maxAhead(Duration limit) {
    return with(settings.withMaxAhead(limit));
  }

  @Override
  public Duration maxAhead() {
    return settings.maxAhead();
  }

  /// How far ahead of the clock an event is bad input, for which `errors.on-error` says whether it
  /// stops the job, is passed over or is a dead letter. None is unless this is said.
  public KafkaStream<V> refuseAhead(Duration ahead) {
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
  public KafkaStream<V> withRetractions() {
    return with(settings.withRetractions());
  }

  @Override
  public boolean retractions() {
    return settings.retractions();
  }

  /// The same topic with the records that have no value, which delete their keys: each is an empty
  /// value. As a source, it would take such a record for bad input otherwise, and its own timestamp
  /// is its event time. As a sink, it writes an empty value as such a record, which needs a key.
  public KafkaStream<Optional<V>> withDeletions() {
    EventTime<V> time = eventTime;
    Watermark<V> own = watermark;
    return new KafkaStream<>(
        settings,
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

  /// Sets the headers of the records that are written. Otherwise a record has those that it came
  /// with; what an operator makes of several records, or of time that has passed, came with none.
  ///
  /// The function is asked of whatever is written. A record that takes back another came with no
  /// headers, and gets its header behind those that the function sets. Where nothing takes the
  /// place of a result, and its key is written without a value, the function is given what is taken
  /// back: [Record#isRetraction] tells. A record for which it fails is bad input.
  public KafkaStream<V> headers(HeaderFunction<Bytes, V> headers) {
    return with(written.withHeaders(headers));
  }

  /// Takes the timestamps of the records that are written from their values, in place of their
  /// event times, of which nothing changes. A record without a value has its event time. What the
  /// topic does not take as a timestamp is bad input, or [clamped][Timestamps#CLAMPED].
  ///
  /// @param time a pure function
  public KafkaStream<V> timestamp(EventTime<V> time) {
    return with(written.withTimestamp(time));
  }

  @Override
  public Written<Bytes, V> written() {
    return written;
  }

  /// Which timestamps records get that are written: their event times unless this is said.
  public KafkaStream<V> timestamps(Timestamps newTimestamps) {
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
