package dev.millrace.api;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.TypeRef;

/// Topics of the log as sources and sinks.
///
/// ```java
/// topology.from(Kafka.topic("updates").value(json(Update.class)).eventTime(Update::at));
/// stream.to(Kafka.topic("trends").value(json(Trend.class)));
/// ```
public final class Kafka {
  private static final Serde<Bytes> BYTES = Serdes.forType(new TypeRef<Bytes>() {});

  private Kafka() {}

  /// A topic whose records are not described yet.
  public static Untyped topic(String name) {
    return new Untyped(TopicSettings.of(name));
  }

  /// A topic before its value's serde is known.
  public static final class Untyped {
    private final TopicSettings settings;

    private Untyped(TopicSettings settings) {
      this.settings = settings;
    }

    /// How many partitions to create the topic with if it does not exist; an existing topic must
    /// have as many.
    public Untyped partitions(int partitions) {
      return new Untyped(settings.withPartitions(partitions));
    }

    /// The topic keeps the last record of each key; an existing topic must do so.
    public Untyped compacted() {
      return setting("cleanup.policy", "compact");
    }

    /// A setting by its name in Kafka, such as `retention.ms`: the topic is created with it, and an
    /// existing one must have it. Mind that Kafka's own default deletes what is older than a week
    /// by its timestamp, which for results is the event time.
    public Untyped setting(String name, String value) {
      return new Untyped(settings.withSetting(name, value));
    }

    /// The key's serde; the topic is partitioned by the key.
    public <K> Keyed<K> key(Serde<K> serde) {
      return new Keyed<>(settings, serde.forTopic(settings.name(), true));
    }

    /// The value's serde; keys stay bytes.
    public <V> KafkaStream<V> value(Serde<V> serde) {
      return new KafkaStream<>(settings, serde.forTopic(settings.name(), false));
    }

    /// Keys and values stay the bytes they are. A value that is looked at is a copy and stays
    /// valid; between a source and a sink bytes go through untouched. `value(Serdes.view())` makes
    /// no copies.
    public KafkaStream<Bytes> bytes() {
      return value(BYTES);
    }
  }

  /// A topic with a key, before its value's serde is known.
  public static final class Keyed<K> {
    private final TopicSettings settings;
    private final Serde<K> keySerde;

    private Keyed(TopicSettings settings, Serde<K> keySerde) {
      this.settings = settings;
      this.keySerde = keySerde;
    }

    public <V> KafkaKeyedStream<K, V> value(Serde<V> serde) {
      return new KafkaKeyedStream<>(settings, keySerde, serde.forTopic(settings.name(), false));
    }
  }
}
