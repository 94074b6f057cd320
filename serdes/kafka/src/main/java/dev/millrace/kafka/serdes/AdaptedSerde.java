package dev.millrace.kafka.serdes;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/// A serializer and a deserializer of Kafka's kind as one serde.
///
/// @param topic handed to both; empty if none is known
/// @param keepsHeaders whether what the serializer writes into headers stands before the value
///   where there are none, in state and between tasks
record AdaptedSerde<T>(
    String id,
    Serializer<T> serializer,
    Deserializer<T> deserializer,
    boolean canonical,
    String topic,
    boolean keepsHeaders)
    implements Serde<T> {
  private static final String KEPT_HEADERS = "+headers";

  AdaptedSerde<T> promisingEqualBytes() {
    return new AdaptedSerde<>(id, serializer, deserializer, true, topic, keepsHeaders);
  }

  AdaptedSerde<T> keepingHeaders() {
    return new AdaptedSerde<>(id + KEPT_HEADERS, serializer, deserializer, canonical, topic, true);
  }

  @Override
  public Serde<T> forTopic(String newTopic, boolean key) {
    return new AdaptedSerde<>(id, serializer, deserializer, canonical, newTopic, keepsHeaders);
  }

  @Override
  public boolean usesHeaders() {
    return true;
  }

  @Override
  public void write(T value, BytesWriter out) {
    Headers headers = new org.apache.kafka.common.header.internals.RecordHeaders();
    byte[] bytes = bytes(value, headers);
    Header[] written = headers.toArray();
    if (keepsHeaders) {
      KeptHeaders.write(written, out);
    } else if (written.length > 0) {
      throw new IllegalStateException(
          "%s writes headers, but there are none for keys, in state and between tasks. Give the source of the values, or the operator, KafkaSerdes.keepingHeaders(serde), which keeps them with the value"
              .formatted(serializer.getClass().getName()));
    }
    out.write(bytes);
  }

  /// Writes a value, and its serializer's headers, which replace headers of the same names;
  /// otherwise every task on the way would add one.
  @Override
  public void write(T value, RecordHeaders headers, BytesWriter out) {
    Headers all = kafkas(headers);
    Set<Header> before = Collections.newSetFromMap(new IdentityHashMap<>());
    all.forEach(before::add);
    byte[] bytes = bytes(value, all);
    Set<String> written = new HashSet<>();
    all.forEach(header -> {
      if (!before.contains(header)) {
        written.add(header.key());
      }
    });
    headers.clear();
    all.forEach(header -> {
      if (!before.contains(header) || !written.contains(header.key())) {
        headers.add(header.key(), header.value());
      }
    });
    out.write(bytes);
  }

  private static Headers kafkas(RecordHeaders headers) {
    Headers all = new org.apache.kafka.common.header.internals.RecordHeaders();
    headers.all().forEach(header -> all.add(header.name(), header.value()));
    return all;
  }

  private byte[] bytes(T value, Headers headers) {
    byte[] bytes;
    try {
      bytes = serializer.serialize(topic, headers, value);
    } catch (RuntimeException e) { // outermost: of the serializer, which may throw anything
      throw fault("written by " + serializer.getClass().getName(), e);
    }
    if (bytes == null) {
      throw new SerdeException(
          serializer.getClass().getName() + " returned no bytes for a value that is not null");
    }
    return bytes;
  }

  @Override
  public T read(Bytes in) {
    Headers headers = new org.apache.kafka.common.header.internals.RecordHeaders();
    return read(keepsHeaders ? KeptHeaders.read(in, headers) : in.toByteArray(), headers);
  }

  @Override
  public T read(Bytes in, RecordHeaders headers) {
    return read(in.toByteArray(), kafkas(headers));
  }

  /// @param copy that the deserializer may keep
  private T read(byte[] copy, Headers headers) {
    T value;
    try {
      value = deserializer.deserialize(topic, headers, copy);
    } catch (RuntimeException e) { // outermost: of the deserializer, which may throw anything
      throw fault("read by " + deserializer.getClass().getName(), e);
    }
    if (value == null) {
      throw new SerdeException(
          "%s read null from %d bytes".formatted(deserializer.getClass().getName(), copy.length));
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
