package dev.millrace.kafka.serdes;

import dev.millrace.api.serde.Serde;
import java.util.Set;
import org.apache.kafka.common.serialization.BooleanSerializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.ByteBufferSerializer;
import org.apache.kafka.common.serialization.BytesSerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.DoubleSerializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.ShortSerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.serialization.UUIDSerializer;

/// Makes serdes of what was written for Kafka's clients: Avro, Protobuf and JSON Schema with a
/// registry, or a serializer of your own.
///
/// **What is given** is configured before, with `configure(settings, isKey)`, and closed by who
/// made it, after the job. It is used by all workers at once, so it must be thread-safe; those of
/// Kafka and of the known registries are.
///
/// **Topics.** The serde of a source or sink hands its topic to the serializer, on which registries
/// base the subject; see [Serde#forTopic]. Until then the topic is the empty text.
///
/// **Headers.** For the values of a source, the deserializer is given the headers of the record;
/// for those of a sink, the serializer is given them, and may change them. In state, between tasks
/// and for keys there are none. There, a serializer that writes some, such as its schema's id,
/// stops the task at its first value; see [#keepingHeaders].
///
/// **Faults.** What a serializer or deserializer throws is bad input and gives a
/// [dev.millrace.api.serde.SerdeException]; except faults of the network, and Kafka's own
/// exceptions other than [org.apache.kafka.common.errors.SerializationException]: a registry that
/// is away or refuses access says nothing about the value, so these pass as they are and stop the
/// task.
///
/// **The id** that is recorded with stores and internal topics is `kafka:` and the class of the
/// serializer, or is given. Nothing is known of schemas: the registry decides what can be read.
public final class KafkaSerdes {
  /// Serializers that give equal bytes for equal values.
  private static final Set<Class<?>> CANONICAL =
      Set.of(
          BooleanSerializer.class,
          ByteArraySerializer.class,
          ByteBufferSerializer.class,
          BytesSerializer.class,
          DoubleSerializer.class,
          IntegerSerializer.class,
          LongSerializer.class,
          ShortSerializer.class,
          StringSerializer.class,
          UUIDSerializer.class);

  private KafkaSerdes() {}

  /// A serde of Kafka's kind.
  ///
  /// @throws IllegalArgumentException if its serializer's class has no name of its own
  public static <T> Serde<T> of(org.apache.kafka.common.serialization.Serde<T> serde) {
    return of(serde.serializer(), serde.deserializer());
  }

  /// A serializer and what reads it. Canonical, as keys have to be, for Kafka's own simple types;
  /// see [#canonical].
  ///
  /// @throws IllegalArgumentException if the serializer's class has no name of its own, as of a
  ///   lambda
  public static <T> Serde<T> of(Serializer<T> serializer, Deserializer<T> deserializer) {
    Class<?> type = serializer.getClass();
    if (type.isSynthetic() || type.isAnonymousClass() || type.isLocalClass()) {
      throw new IllegalArgumentException(
          ("The class of this serializer, %s, may be called otherwise in the next build;"
                  + " give an id: of(id, serializer, deserializer)")
              .formatted(type.getName()));
    }
    return of("kafka:" + type.getName(), serializer, deserializer);
  }

  /// The same with an id that stays when the serializer's class is renamed.
  public static <T> Serde<T> of(String id, Serializer<T> serializer, Deserializer<T> deserializer) {
    boolean canonical = CANONICAL.contains(serializer.getClass());
    return new AdaptedSerde<>(id, serializer, deserializer, canonical, "", false);
  }

  /// The same serde; what its serializer writes into headers is kept before the value in state and
  /// between tasks, where records have no headers of its own. In topics they are headers.
  ///
  /// @throws IllegalArgumentException if the serde was not made here
  public static <T> Serde<T> keepingHeaders(Serde<T> serde) {
    return adapted(serde).keepingHeaders();
  }

  /// The same serde with the promise that equal values give equal bytes, as keys need it. Nobody
  /// checks the promise; if it is broken, one key becomes two. With a registry it holds only as
  /// long as the schema stays the same, since its id stands before the value.
  ///
  /// @throws IllegalArgumentException if the serde was not made here
  public static <T> Serde<T> canonical(Serde<T> serde) {
    return adapted(serde).promisingEqualBytes();
  }

  private static <T> AdaptedSerde<T> adapted(Serde<T> serde) {
    if (!(serde instanceof AdaptedSerde<T> adapted)) {
      throw new IllegalArgumentException(serde.id() + " was not made by KafkaSerdes");
    }
    return adapted;
  }
}
