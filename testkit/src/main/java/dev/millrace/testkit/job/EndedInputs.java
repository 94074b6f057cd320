package dev.millrace.testkit.job;

import dev.millrace.api.Broadcast;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.connector.KeyedSource;
import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Source;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.TypeRef;
import java.time.Duration;
import java.util.Set;

/// An application some of whose topics come to their end.
///
/// @param ended the topics that do
record EndedInputs(StreamApplication application, Set<String> ended) implements StreamApplication {
  @Override
  public String name() {
    return application.name();
  }

  @Override
  public void describe(Topology topology) {
    application.describe(new Ending(topology, ended));
  }

  private record Ending(Topology topology, Set<String> ended) implements Topology {
    @Override
    public <V> Stream<V> from(Source<V> source) {
      LogTopics<? extends Source<V>> topics = source.topics();
      if (topics == null || !endsOne(topics)) {
        return topology.from(ended.contains(source.stream()) ? source.asBounded() : source);
      }
      Stream<V> all = null;
      for (String topic : topics.choice().names()) {
        Stream<V> one = from(topics.topic(topic));
        all = all == null ? one : all.merge(one);
      }
      return all == null ? topology.from(source.asBounded()) : all;
    }

    @Override
    public <K, V> KeyedStream<K, V> from(KeyedSource<K, V> source) {
      LogTopics<? extends KeyedSource<K, V>> topics = source.topics();
      if (topics == null || !endsOne(topics)) {
        return topology.from(ending(source));
      }
      KeyedStream<K, V> all = null;
      for (String topic : topics.choice().names()) {
        KeyedStream<K, V> one = from(topics.topic(topic));
        all = all == null ? one : all.merge(one);
      }
      return all == null ? topology.from(source.asBounded()) : all;
    }

    /// All topics of a pattern end together.
    private boolean endsOne(LogTopics<?> topics) {
      return ended.stream().anyMatch(topics.choice()::has);
    }

    @Override
    public <T> void serde(Class<T> type, Serde<T> serde) {
      topology.serde(type, serde);
    }

    @Override
    public <T> void serde(TypeRef<T> type, Serde<T> serde) {
      topology.serde(type, serde);
    }

    @Override
    public void renamed(String was, String is) {
      topology.renamed(was, is);
    }

    @Override
    public void consistentEvery(Duration tick) {
      topology.consistentEvery(tick);
    }

    @Override
    public <K, V> Table<K, V> table(String name, KeyedSource<K, V> source) {
      return topology.table(name, ending(source));
    }

    @Override
    public <K, V> Broadcast<K, V> broadcastTable(String name, KeyedSource<K, V> source) {
      return topology.broadcastTable(name, ending(source));
    }

    private <K, V> KeyedSource<K, V> ending(KeyedSource<K, V> source) {
      return ended.contains(source.stream()) ? source.asBounded() : source;
    }
  }
}
