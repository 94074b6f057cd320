package dev.millrace.benchmarks.nexmark.app;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.query.Query;
import dev.millrace.benchmarks.nexmark.query.Results;

/// Writes results, and what is taken back, into a topic.
public final class TopicResults<R> implements Results<R> {
  private final KafkaSink<R> topic;

  public TopicResults(Query<R> query, String name) {
    topic =
        Kafka.sink(name)
            // Results have the time of their events, which is years ago: Kafka would delete them.
            .setting("retention.ms", "-1")
            .value(serde(query))
            .withRetractions();
  }

  /// The topic.
  public KafkaSink<R> topic() {
    return topic;
  }

  /// How results stand in the topic.
  @SuppressWarnings("unchecked") // the serde of a class is one of its objects
  public static <R> Serde<R> serde(Query<R> query) {
    return (Serde<R>) Serdes.forType(query.type());
  }

  @Override
  public void take(Stream<R> results) {
    results.to(topic);
  }

  @Override
  public void take(KeyedStream<?, R> results) {
    results.to(topic);
  }
}
