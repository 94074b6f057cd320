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

/// Creates serdes from serializers and deserializers for Kafka's clients: Avro, Protobuf and JSON
/// Schema with a registry, or a serializer of your own.
///
/// **Life cycle.** The caller configures serializer and deserializer before, with
/// `configure(settings, isKey)`, and closes them after the job. All workers use them at once, so
/// they must be thread-safe; those of Kafka and of the known registries are.
///
/// **Topics.** The serde of a source or sink passes its topic to the serializer, from which
/// registries derive the subject; see [Serde#forTopic]. Elsewhere the topic is the empty text.
///
/// **Headers.** For the values of a source, the deserializer receives the headers of the record;
/// for those of a sink, the serializer receives them and may change them. In state, between tasks
/// and for keys there are no headers. There, a serializer that writes headers, such as the id of
/// its schema, stops the task at the first value; see [#keepingHeaders].
///
/// **Faults.** An exception of a serializer or deserializer means bad input and becomes a
/// [dev.millrace.api.serde.SerdeException]. Failures of the network, and Kafka's own exceptions
/// other than [org.apache.kafka.common.errors.SerializationException], are not changed and stop the
/// task: a registry that does not answer or denies access says nothing about the value.
///
/// **The id** that is recorded with stores and internal topics is `kafka:` and the class of the
/// serializer, unless another one is given. It does not contain a schema: the registry decides what
/// can be read.
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

  /// Returns a serde that uses a serde of Kafka's clients.
  ///
  /// @throws IllegalArgumentException if the class of its serializer has no name
  public static <T> Serde<T> of(org.apache.kafka.common.serialization.Serde<T> serde) {
    return of(serde.serializer(), serde.deserializer());
  }

  /// Returns a serde that uses a serializer and a deserializer. It is canonical, as keys require,
  /// for Kafka's own simple types; see [#canonical].
  ///
  /// @throws IllegalArgumentException if the class of the serializer has no name, as that of a
  ///   lambda
  public static <T> Serde<T> of(Serializer<T> serializer, Deserializer<T> deserializer) {
    Class<?> type = serializer.getClass();
    if (type.isSynthetic() || type.isAnonymousClass() || type.isLocalClass()) {
      throw new IllegalArgumentException(
          ("The class of this serializer, %s, may have another name in the next build. Give an id:"
                  + " of(id, serializer, deserializer)")
              .formatted(type.getName()));
    }
    return of("kafka:" + type.getName(), serializer, deserializer);
  }

  /// Returns a serde with an id that does not change when the serializer's class is renamed.
  public static <T> Serde<T> of(String id, Serializer<T> serializer, Deserializer<T> deserializer) {
    boolean canonical = CANONICAL.contains(serializer.getClass());
    return new AdaptedSerde<>(id, serializer, deserializer, canonical, "", false);
  }

  /// Returns the serde with another handling of headers: in state and between tasks, where there
  /// are no headers, the headers that its serializer writes are kept before the value. In topics
  /// they are headers.
  ///
  /// @throws IllegalArgumentException if the serde was not created by this class
  public static <T> Serde<T> keepingHeaders(Serde<T> serde) {
    return adapted(serde).keepingHeaders();
  }

  /// Returns the serde with the promise that equal values give equal bytes, as keys require. The
  /// promise is not checked; if it is broken, one key becomes two. With a registry, it holds only
  /// as long as the schema does not change, because the id of the schema precedes the value.
  ///
  /// @throws IllegalArgumentException if the serde was not created by this class
  public static <T> Serde<T> canonical(Serde<T> serde) {
    return adapted(serde).promisingEqualBytes();
  }

  private static <T> AdaptedSerde<T> adapted(Serde<T> serde) {
    if (!(serde instanceof AdaptedSerde<T> adapted)) {
      throw new IllegalArgumentException(serde.id() + " was not created by KafkaSerdes");
    }
    return adapted;
  }
}
