package dev.millrace.kafka.serdes;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/// A serializer and a deserializer of Kafka's kind as one serde.
///
/// @param topic handed to both; empty if none is known
record AdaptedSerde<T>(
    String id,
    Serializer<T> serializer,
    Deserializer<T> deserializer,
    boolean canonical,
    String topic)
    implements Serde<T> {
  AdaptedSerde<T> promisingEqualBytes() {
    return new AdaptedSerde<>(id, serializer, deserializer, true, topic);
  }

  @Override
  public Serde<T> forTopic(String newTopic, boolean key) {
    return new AdaptedSerde<>(id, serializer, deserializer, canonical, newTopic);
  }

  @Override
  public void write(T value, BytesWriter out) {
    Headers headers = new RecordHeaders();
    byte[] bytes;
    try {
      bytes = serializer.serialize(topic, headers, value);
    } catch (RuntimeException e) { // outermost: of the serializer, which may throw anything
      throw fault("written by " + serializer.getClass().getName(), e);
    }
    if (headers.iterator().hasNext()) {
      throw new IllegalStateException(
          ("%s writes headers, which have no place in a store;"
                  + " let it write all it needs into the value")
              .formatted(serializer.getClass().getName()));
    }
    if (bytes == null) {
      throw new SerdeException(
          serializer.getClass().getName() + " gave no bytes for a value that is not null");
    }
    out.write(bytes);
  }

  /// Hands over a copy: a deserializer may keep the array it gets.
  @Override
  public T read(Bytes in) {
    T value;
    try {
      value = deserializer.deserialize(topic, new RecordHeaders(), in.toByteArray());
    } catch (RuntimeException e) { // outermost: of the deserializer, which may throw anything
      throw fault("read by " + deserializer.getClass().getName(), e);
    }
    if (value == null) {
      throw new SerdeException(
          "%s read null from %d bytes".formatted(deserializer.getClass().getName(), in.length()));
    }
    return value;
  }

  /// Bad input becomes a [SerdeException]; other faults stay what they are.
  private static RuntimeException fault(String what, RuntimeException e) {
    boolean ofKafka = e instanceof KafkaException && !(e instanceof SerializationException);
    if (e instanceof SerdeException || ofKafka || isOfTheNetwork(e)) {
      return e;
    }
    return new SerdeException(
        "the value cannot be %s: %s".formatted(what, e.getClass().getSimpleName()), e);
  }

  private static boolean isOfTheNetwork(@Nullable Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketException
          || cause instanceof SocketTimeoutException
          || cause instanceof UnknownHostException
          || cause instanceof HttpTimeoutException
          || cause instanceof SSLException) {
        return true;
      }
    }
    return false;
  }
}
