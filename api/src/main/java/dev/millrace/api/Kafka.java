package dev.millrace.api;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.TypeRef;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

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

  /// Several topics that are described alike.
  ///
  /// @throws IllegalArgumentException if there is none, or one is named twice
  public static UntypedTopics topics(String... names) {
    return topics(List.of(names));
  }

  /// Several topics that are described alike.
  ///
  /// @throws IllegalArgumentException if there is none, or one is named twice
  public static UntypedTopics topics(Collection<String> names) {
    return new UntypedTopics(TopicChoice.of(names), Kafka::topic);
  }

  /// All topics whose whole names match. As a source, those that exist when the application starts:
  /// others are told of while it runs, and read from its next start on. Topics that the application
  /// itself writes are left out.
  public static UntypedTopics topics(Pattern pattern) {
    return new UntypedTopics(TopicChoice.of(pattern), Kafka::topic);
  }

  /// All topics whose names begin with a prefix; as a source, like those of a pattern.
  public static UntypedTopics topicsUnder(String prefix) {
    return new UntypedTopics(TopicChoice.under(prefix), Kafka::topic);
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

  /// Several topics whose records are not described yet.
  public static final class UntypedTopics {
    private final TopicChoice choice;
    private final Function<String, Untyped> each;

    private UntypedTopics(TopicChoice choice, Function<String, Untyped> each) {
      this.choice = choice;
      this.each = each;
    }

    private UntypedTopics with(UnaryOperator<Untyped> change) {
      return new UntypedTopics(choice, topic -> change.apply(each.apply(topic)));
    }

    /// How many partitions to create a topic with that does not exist; an existing one must have as
    /// many. A topic that a route chooses and that does not exist is created only if this is said.
    public UntypedTopics partitions(int partitions) {
      return with(topic -> topic.partitions(partitions));
    }

    /// Each topic keeps the last record of each key; an existing one must do so.
    public UntypedTopics compacted() {
      return with(Untyped::compacted);
    }

    /// A setting of each topic; see [Untyped#setting].
    public UntypedTopics setting(String name, String value) {
      return with(topic -> topic.setting(name, value));
    }

    /// The key's serde; the topics are partitioned by the key.
    public <K> KeyedTopics<K> key(Serde<K> serde) {
      return new KeyedTopics<>(choice, topic -> each.apply(topic).key(serde));
    }

    /// The value's serde; keys stay bytes.
    public <V> KafkaTopics<V> value(Serde<V> serde) {
      return new KafkaTopics<>(choice, topic -> each.apply(topic).value(serde));
    }

    /// Keys and values stay the bytes they are; see [Untyped#bytes].
    public KafkaTopics<Bytes> bytes() {
      return value(BYTES);
    }
  }

  /// Several topics with a key, before their values' serde is known.
  public static final class KeyedTopics<K> {
    private final TopicChoice choice;
    private final Function<String, Keyed<K>> each;

    private KeyedTopics(TopicChoice choice, Function<String, Keyed<K>> each) {
      this.choice = choice;
      this.each = each;
    }

    public <V> KafkaKeyedTopics<K, V> value(Serde<V> serde) {
      return new KafkaKeyedTopics<>(choice, topic -> each.apply(topic).value(serde));
    }
  }
}
