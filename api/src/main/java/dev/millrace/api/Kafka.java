package dev.millrace.api;

import dev.millrace.api.connector.TopicChoice;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.TypeRef;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/// Topics of Kafka as sources and sinks.
///
/// ```java
/// topology
///     .from(Kafka.source("updates").value(json(Update.class)).eventTime(Update::at))
///     .map(Trend::of)
///     .to(Kafka.sink("trends").value(json(Trend.class)));
/// ```
///
/// A description is a value: each method returns another one and leaves this one unchanged.
public final class Kafka {
  private static final Serde<Bytes> BYTES = Serdes.forType(new TypeRef<Bytes>() {});

  private Kafka() {}

  /// Returns a topic to read, whose records are not described yet.
  ///
  /// ```java
  /// topology.from(Kafka.source("orders").key(Serdes.string()).value(json(Order.class)))
  /// ```
  public static UntypedSource source(String topic) {
    return new UntypedSource(TopicSettings.of(topic));
  }

  /// Returns several topics to read, which are described alike: the records of all of them.
  ///
  /// ```java
  /// topology.from(Kafka.sources("sent-by-air", "sent-by-sea").value(json(Sent.class)))
  /// ```
  ///
  /// @throws IllegalArgumentException if no topic is given, or one is given twice
  public static UntypedSource sources(String... topics) {
    return sources(List.of(topics));
  }

  /// Returns several topics to read, as [#sources(String...)] does.
  ///
  /// ```java
  /// topology.from(Kafka.sources(List.of("sent-by-air", "sent-by-sea")).value(json(Sent.class)))
  /// ```
  ///
  /// @throws IllegalArgumentException if no topic is given, or one is given twice
  public static UntypedSource sources(Collection<String> topics) {
    return new UntypedSource(TopicSettings.of(TopicChoice.of(topics)));
  }

  /// Returns all topics whose whole names match, to read those that exist when the application
  /// starts. A topic that appears later is reported while the application runs, and read from its
  /// next start on. Topics that the application itself writes are left out.
  ///
  /// ```java
  /// topology.from(Kafka.sources(Pattern.compile("sent-by-.*")).value(json(Sent.class)))
  /// ```
  public static UntypedSource sources(Pattern pattern) {
    return new UntypedSource(TopicSettings.of(TopicChoice.of(pattern)));
  }

  /// Returns all topics whose names begin with a prefix, to be read like those of a
  /// [pattern][#sources(Pattern)].
  ///
  /// ```java
  /// topology.from(Kafka.sourcesUnder("sent-by-").value(json(Sent.class)))
  /// ```
  public static UntypedSource sourcesUnder(String prefix) {
    return new UntypedSource(TopicSettings.of(TopicChoice.under(prefix)));
  }

  /// Returns a topic to write, whose records are not described yet.
  ///
  /// ```java
  /// counts.to(Kafka.sink("counts").key(Serdes.string()).value(Serdes.longs()))
  /// ```
  public static UntypedSink sink(String topic) {
    return new UntypedSink(TopicSettings.of(topic));
  }

  /// Returns several topics to write, which are described alike: a route says of each record which
  /// of them it goes to.
  ///
  /// ```java
  /// sent.to(Sent::topic, Kafka.sinks("sent-by-air", "sent-by-sea").value(json(Sent.class)))
  /// ```
  ///
  /// @throws IllegalArgumentException if no topic is given, or one is given twice
  public static UntypedSink sinks(String... topics) {
    return sinks(List.of(topics));
  }

  /// Returns several topics to write, as [#sinks(String...)] does.
  ///
  /// ```java
  /// sent.to(Sent::topic, Kafka.sinks(List.of("sent-by-air", "sent-by-sea")).value(json(Sent.class)))
  /// ```
  ///
  /// @throws IllegalArgumentException if no topic is given, or one is given twice
  public static UntypedSink sinks(Collection<String> topics) {
    return new UntypedSink(TopicSettings.of(TopicChoice.of(topics)));
  }

  /// Returns all topics whose whole names match, to write: a route says of each record which of
  /// them it goes to.
  ///
  /// ```java
  /// sent.to(Sent::topic, Kafka.sinks(Pattern.compile("sent-by-.*")).value(json(Sent.class)))
  /// ```
  public static UntypedSink sinks(Pattern pattern) {
    return new UntypedSink(TopicSettings.of(TopicChoice.of(pattern)));
  }

  /// Returns all topics whose names begin with a prefix, to write: a route says of each record
  /// which of them it goes to.
  ///
  /// ```java
  /// sent.to(Sent::topic, Kafka.sinksUnder("sent-by-").partitions(4).value(json(Sent.class)))
  /// ```
  public static UntypedSink sinksUnder(String prefix) {
    return new UntypedSink(TopicSettings.of(TopicChoice.under(prefix)));
  }

  /// One or several topics to read, before the serde of their values is known.
  ///
  /// ```java
  /// Kafka.source("orders")
  ///     .partitions(4)
  ///     .setting("retention.ms", "-1")
  ///     .key(Serdes.string())
  ///     .value(json(Order.class))
  /// ```
  public static final class UntypedSource {
    private final TopicSettings topic;

    private UntypedSource(TopicSettings topic) {
      this.topic = topic;
    }

    /// Creates the topic with so many partitions if it does not exist, as for a demo; an existing
    /// topic must have as many. Unless this is said, a topic that does not exist is an error at the
    /// start.
    public UntypedSource partitions(int partitions) {
      return new UntypedSource(topic.withPartitions(partitions));
    }

    /// Adds a setting by its name in Kafka, such as `retention.ms`: the topic is created with it if
    /// [partitions][#partitions] are given, and an existing topic must have it.
    public UntypedSource setting(String name, String value) {
      return new UntypedSource(topic.withSetting(name, value));
    }

    /// Sets the serde of the keys; the topic is partitioned by the key.
    public <K> UntypedKeyedSource<K> key(Serde<K> serde) {
      return new UntypedKeyedSource<>(topic, serde);
    }

    /// Sets the serde of the values; keys stay bytes.
    public <V> KafkaSource<V> value(Serde<V> serde) {
      return new KafkaSource<>(SourceSpec.of(topic, serde));
    }

    /// Leaves keys and values bytes. A value that a function is given is a copy and stays valid;
    /// between a source and a sink bytes pass through untouched. `value(Serdes.view())` makes no
    /// copies.
    ///
    /// ```java
    /// topology.from(Kafka.source("orders").bytes()).to(Kafka.sink("copies").bytes())
    /// ```
    public KafkaSource<Bytes> bytes() {
      return value(BYTES);
    }
  }

  /// One or several topics with a key to read, before the serde of their values is known; see
  /// [UntypedSource].
  public static final class UntypedKeyedSource<K> {
    private final TopicSettings topic;
    private final Serde<K> keySerde;

    private UntypedKeyedSource(TopicSettings topic, Serde<K> keySerde) {
      this.topic = topic;
      this.keySerde = keySerde;
    }

    /// Sets the serde of the values.
    public <V> KafkaKeyedSource<K, V> value(Serde<V> serde) {
      return new KafkaKeyedSource<>(SourceSpec.of(topic, serde), keySerde);
    }
  }

  /// One or several topics to write, before the serde of their values is known.
  ///
  /// ```java
  /// Kafka.sink("totals")
  ///     .partitions(4)
  ///     .compacted()
  ///     .setting("min.insync.replicas", "2")
  ///     .key(Serdes.string())
  ///     .value(Serdes.longs())
  /// ```
  public static final class UntypedSink {
    private final TopicSettings topic;

    private UntypedSink(TopicSettings topic) {
      this.topic = topic;
    }

    /// Creates the topic with so many partitions if it does not exist; an existing topic must have
    /// as many. A topic of a pattern that a route chooses is created only if this is said.
    public UntypedSink partitions(int partitions) {
      return new UntypedSink(topic.withPartitions(partitions));
    }

    /// Creates the topic so that it keeps the last record of each key; an existing topic must do
    /// so.
    public UntypedSink compacted() {
      return setting("cleanup.policy", "compact");
    }

    /// Adds a setting by its name in Kafka, such as `retention.ms`: the topic is created with it,
    /// and an existing topic must have it. Note that Kafka's own default deletes records whose
    /// timestamps are older than a week, and the timestamp of a result is its event time.
    public UntypedSink setting(String name, String value) {
      return new UntypedSink(topic.withSetting(name, value));
    }

    /// Sets the serde of the keys; the topic is partitioned by the key.
    public <K> UntypedKeyedSink<K> key(Serde<K> serde) {
      return new UntypedKeyedSink<>(topic, serde);
    }

    /// Sets the serde of the values; keys stay bytes.
    public <V> KafkaSink<V> value(Serde<V> serde) {
      return new KafkaSink<>(SinkSpec.of(topic, serde));
    }

    /// Leaves keys and values bytes; see [UntypedSource#bytes].
    public KafkaSink<Bytes> bytes() {
      return value(BYTES);
    }
  }

  /// One or several topics with a key to write, before the serde of their values is known; see
  /// [UntypedSink].
  public static final class UntypedKeyedSink<K> {
    private final TopicSettings topic;
    private final Serde<K> keySerde;

    private UntypedKeyedSink(TopicSettings topic, Serde<K> keySerde) {
      this.topic = topic;
      this.keySerde = keySerde;
    }

    /// Sets the serde of the values.
    public <V> KafkaKeyedSink<K, V> value(Serde<V> serde) {
      return new KafkaKeyedSink<>(SinkSpec.of(topic, serde), keySerde);
    }
  }
}
