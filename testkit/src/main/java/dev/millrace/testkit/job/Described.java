package dev.millrace.testkit.job;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.Source;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.spi.Log.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The topics that an application reads and writes, as its topology describes them.
final class Described {
  private final String application;
  private final Map<String, Source<Object>> sources = new TreeMap<>();
  private final Map<String, Sink<Object, Object>> sinks = new TreeMap<>();
  private final Map<String, TopicSettings> topics = new TreeMap<>();

  /// The patterns by which it reads. A topic of theirs is there once a test names it.
  private final List<LogTopics<? extends Source<?>>> read = new ArrayList<>();

  /// The patterns of which records choose a topic. The same is true of these.
  private final List<LogTopics<? extends Sink<?, ?>>> chosen = new ArrayList<>();

  /// How long, in milliseconds of event time, records of a topic may be retracted.
  private final Map<String, Long> corrects = new TreeMap<>();

  private Described(String application) {
    this.application = application;
  }

  /// @throws dev.millrace.api.InvalidTopologyException if the topology cannot be built
  static Described of(StreamApplication application) {
    Described described = new Described(application.name());
    for (Node node : TopologyGraph.of(application).nodes()) {
      if (node instanceof Node.Input input) {
        described.addSource(input.source());
      } else if (node instanceof Node.Output output) {
        described.addOutput(output);
      }
    }
    return described;
  }

  /// As the topology itself reckons it.
  private static long correctsMillis(Node node) {
    return switch (node) {
      case Node.Stateful stateful -> stateful.declared().correctsMillis();
      case Node.Additions _ -> 0;
      default -> node.inputs().stream().mapToLong(Described::correctsMillis).max().orElse(0);
    };
  }

  private void addOutput(Node.Output output) {
    LogTopics<? extends Sink<?, ?>> topics = output.sink().topics();
    if (topics != null) {
      chosen.add(topics);
    } else {
      addSink(output.sink());
      corrects.merge(output.sink().stream(), correctsMillis(output), Math::max);
    }
  }

  private void addSource(Source<?> source) {
    LogTopics<? extends Source<?>> topics = source.topics();
    TopicSettings topic = source.topic();
    if (topics != null) {
      read.add(topics);
    } else if (topic != null) {
      addTopic(topic);
      if (source.keySerde() != null || !sources.containsKey(source.stream())) {
        sources.put(source.stream(), erased(source));
      }
    }
  }

  private void addSink(Sink<?, ?> sink) {
    TopicSettings topic = sink.topic();
    if (topic != null) {
      addTopic(topic);
      if (sink.keySerde() != null || !sinks.containsKey(sink.stream())) {
        sinks.put(sink.stream(), erased(sink));
      }
    }
  }

  @SuppressWarnings("unchecked") // as the topology has them
  private static Source<Object> erased(Source<?> source) {
    return (Source<Object>) source;
  }

  @SuppressWarnings("unchecked") // as the topology has them
  private static Sink<Object, Object> erased(Sink<?, ?> sink) {
    return (Sink<Object, Object>) sink;
  }

  private void addTopic(TopicSettings settings) {
    TopicSettings other = topics.putIfAbsent(settings.name(), settings);
    if (other != null && other.partitions() == 0) {
      topics.put(settings.name(), settings);
    }
  }

  /// Returns the application's name.
  String application() {
    return application;
  }

  Set<String> sources() {
    return sources.keySet();
  }

  Set<String> sinks() {
    return sinks.keySet();
  }

  /// @throws IllegalArgumentException if the application reads no such topic
  Source<Object> source(String topic) {
    for (LogTopics<? extends Source<?>> each : read) {
      if (each.choice().has(topic) && !sources.containsKey(topic)) {
        addSource(each.topic(topic));
      }
    }
    Source<Object> found = sources.get(topic);
    if (found == null) {
      throw new IllegalArgumentException(
          "'%s' does not read a topic '%s'. It reads %s.".formatted(application, topic, sources()));
    }
    return found;
  }

  /// @throws IllegalArgumentException if the application writes no such topic
  Sink<Object, Object> sink(String topic) {
    for (LogTopics<? extends Sink<?, ?>> each : chosen) {
      if (each.choice().has(topic) && !sinks.containsKey(topic)) {
        addSink(each.topic(topic));
      }
    }
    Sink<Object, Object> found = sinks.get(topic);
    if (found == null) {
      throw new IllegalArgumentException(
          "'%s' does not write a topic '%s'. It writes %s.".formatted(application, topic, sinks()));
    }
    return found;
  }

  /// Returns whether the values that a topic is given are those of a table.
  boolean isTable(String topic) {
    return correctsMillis(topic) >= Declaration.FOREVER;
  }

  /// Returns whether values that are written to a topic may be retracted.
  boolean isCorrected(String topic) {
    return correctsMillis(topic) > 0;
  }

  private long correctsMillis(String topic) {
    return corrects.getOrDefault(topic, 0L);
  }

  /// Returns the serde of a source's keys; null if they stay bytes.
  static @Nullable Serde<Object> keySerde(Source<Object> source) {
    return untyped(source.keySerde());
  }

  /// Returns the serde of a sink's keys; null if they stay bytes.
  static @Nullable Serde<Object> keySerde(Sink<Object, Object> sink) {
    return untyped(sink.keySerde());
  }

  @SuppressWarnings("unchecked") // who sends or compares something of another type is told so
  private static @Nullable Serde<Object> untyped(@Nullable Serde<?> serde) {
    return (Serde<Object>) serde;
  }

  /// Returns how many partitions a topic has.
  ///
  /// @param usual if the application does not say
  int partitions(String topic, int usual) {
    TopicSettings settings = topics.get(topic);
    return settings == null || settings.partitions() == 0 ? usual : settings.partitions();
  }

  /// Returns how the topics are to be created: they keep what they get, and take event times of any
  /// day.
  ///
  /// @param partitions if the application does not say
  List<TopicSpec> specs(int partitions) {
    List<TopicSpec> specs = new ArrayList<>();
    topics.forEach((name, described) -> {
      Map<String, String> settings = new TreeMap<>();
      settings.put("retention.ms", "-1");
      settings.put("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
      settings.putAll(described.settings());
      specs.add(new TopicSpec(name, partitions(name, partitions), -1, settings));
    });
    return specs;
  }
}
