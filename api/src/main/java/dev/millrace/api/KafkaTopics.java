package dev.millrace.api;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Serde;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Several topics that are described alike, whose values have a type and whose keys stay bytes.
///
/// As a source, the records of all of them: task p reads partition p of each, and every topic has
/// its own event time. [Record#topic] tells which a record is of. As a sink, what a route chooses
/// from, record by record.
public final class KafkaTopics<V> implements Source<V>, Sink<V>, LogTopics {
  private final TopicChoice choice;
  private final Function<String, KafkaStream<V>> each;
  private final KafkaStream<V> described;
  private final Map<String, KafkaStream<V>> made = new ConcurrentHashMap<>();

  KafkaTopics(TopicChoice choice, Function<String, KafkaStream<V>> each) {
    this.choice = choice;
    this.each = each;
    described = each.apply(choice.text());
  }

  private <R> KafkaTopics<R> with(Function<KafkaStream<V>, KafkaStream<R>> change) {
    return new KafkaTopics<>(choice, topic -> change.apply(each.apply(topic)));
  }

  /// Takes the event time from the value; events of a partition of one topic come in its order.
  public KafkaTopics<V> eventTime(EventTime<V> time) {
    return with(topic -> topic.eventTime(time));
  }

  /// Takes the event time from the value; an event may be up to `disorder` behind those before it
  /// in its partition of its topic.
  public KafkaTopics<V> eventTime(EventTime<V> time, Duration disorder) {
    return with(topic -> topic.eventTime(time, disorder));
  }

  /// Takes the watermark of each partition from the application; see [KafkaStream#watermark].
  public KafkaTopics<V> watermark(Watermark<V> own) {
    return with(topic -> topic.watermark(own));
  }

  /// Where a topic is read from that the application has not read before.
  public KafkaTopics<V> startAt(Start start) {
    return with(topic -> topic.startAt(start));
  }

  /// Reading ends at the ends that the partitions have when the application first reads them.
  public KafkaTopics<V> asBounded() {
    return with(topic -> topic.asBounded());
  }

  /// How far ahead of the clock, and of the events before it, an event may be and still move time;
  /// a day unless said otherwise. See [Source#maxAhead].
  public KafkaTopics<V> maxAhead(Duration limit) {
    return with(topic -> topic.maxAhead(limit));
  }

  /// How far ahead of the clock an event is bad input; see [KafkaStream#refuseAhead].
  public KafkaTopics<V> refuseAhead(Duration ahead) {
    return with(topic -> topic.refuseAhead(ahead));
  }

  /// Also writes what is taken back when a result is corrected; see [KafkaStream#withRetractions].
  public KafkaTopics<V> withRetractions() {
    return with(topic -> topic.withRetractions());
  }

  /// The same topics with the records that have no value; see [KafkaStream#withDeletions].
  public KafkaTopics<Optional<V>> withDeletions() {
    return with(topic -> topic.withDeletions());
  }

  /// Which timestamps records get that are written: their event times unless this is said.
  public KafkaTopics<V> timestamps(Timestamps newTimestamps) {
    return with(topic -> topic.timestamps(newTimestamps));
  }

  /// One of them; the same object whenever it is asked for.
  ///
  /// @throws IllegalArgumentException if it is none of them
  public KafkaStream<V> topic(String name) {
    if (!choice.has(name)) {
      throw new IllegalArgumentException(
          "Topic '%s' is none of '%s'.".formatted(name, choice.text()));
    }
    return made.computeIfAbsent(name, each);
  }

  /// What a route chooses from: each of them, or all of a pattern together.
  List<Sink<V>> sinks() {
    return choice.pattern() == null
        ? choice.names().stream().<Sink<V>>map(this::topic).toList()
        : List.of(this);
  }

  @Override
  public TopicChoice choice() {
    return choice;
  }

  @Override
  public KafkaStream<V> described() {
    return described;
  }

  @Override
  public KafkaStream<V> source(String topic) {
    return topic(topic);
  }

  @Override
  public KafkaStream<V> sink(String topic) {
    return topic(topic);
  }

  @Override
  public String stream() {
    return described.stream();
  }

  @Override
  public Serde<V> valueSerde() {
    return described.valueSerde();
  }

  @Override
  public @Nullable EventTime<V> eventTime() {
    return described.eventTime();
  }

  @Override
  public @Nullable Watermark<V> watermark() {
    return described.watermark();
  }

  @Override
  public Duration disorder() {
    return described.disorder();
  }

  @Override
  public Duration maxAhead() {
    return described.maxAhead();
  }

  @Override
  public @Nullable Duration refusedAhead() {
    return described.refusedAhead();
  }

  @Override
  public boolean bounded() {
    return described.bounded();
  }

  @Override
  public @Nullable Start start() {
    return described.start();
  }

  @Override
  public boolean retractions() {
    return described.retractions();
  }

  @Override
  public Timestamps timestamps() {
    return described.timestamps();
  }
}
