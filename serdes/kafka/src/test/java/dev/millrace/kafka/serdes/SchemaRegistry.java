package dev.millrace.kafka.serdes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/// A registry of schemas in memory, and a serializer and deserializer that use it in the way the
/// known ones do: a byte 0, the schema's id in four bytes, Avro's binary form. Ids count up from 1,
/// so two registries give different schemas the same ids.
final class SchemaRegistry {
  private static final int HEADER_BYTES = 5;

  private final List<Schema> schemas = new ArrayList<>();
  private final Map<String, List<Integer>> subjects = new ConcurrentHashMap<>();
  private volatile boolean away;

  synchronized int register(String subject, Schema schema) {
    reach();
    int index = schemas.indexOf(schema);
    if (index < 0) {
      index = schemas.size();
      schemas.add(schema);
    }
    List<Integer> versions = subjects.computeIfAbsent(subject, _ -> new ArrayList<>());
    if (!versions.contains(index + 1)) {
      versions.add(index + 1);
    }
    return index + 1;
  }

  synchronized Schema byId(int id) {
    reach();
    if (id < 1 || id > schemas.size()) {
      throw new SerializationException("no schema has the id " + id);
    }
    return schemas.get(id - 1);
  }

  Map<String, List<Integer>> subjects() {
    return subjects;
  }

  void goAway() {
    away = true;
  }

  private void reach() {
    if (away) {
      throw new SerializationException("the registry", new ConnectException("refused"));
    }
  }

  /// Writes records with their own schemas.
  static final class Writer implements Serializer<GenericRecord> {
    private final SchemaRegistry registry;
    private final boolean key;

    Writer(SchemaRegistry registry, boolean key) {
      this.registry = registry;
      this.key = key;
    }

    @Override
    public byte[] serialize(String topic, GenericRecord data) {
      Schema schema = data.getSchema();
      int id = registry.register(topic + (key ? "-key" : "-value"), schema);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(ByteBuffer.allocate(HEADER_BYTES).put((byte) 0).putInt(id).array());
      try {
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(schema).write(data, encoder);
        encoder.flush();
      } catch (IOException | AvroRuntimeException e) {
        throw new SerializationException("the record does not fit its schema", e);
      }
      return out.toByteArray();
    }
  }

  /// Reads records of any version as records of one.
  static final class Reader implements Deserializer<GenericRecord> {
    private final SchemaRegistry registry;
    private final Schema expected;

    Reader(SchemaRegistry registry, Schema expected) {
      this.registry = registry;
      this.expected = expected;
    }

    @Override
    public GenericRecord deserialize(String topic, byte[] data) {
      if (data.length < HEADER_BYTES || data[0] != 0) {
        throw new SerializationException("no byte 0 and id of a schema");
      }
      Schema written = registry.byId(ByteBuffer.wrap(data, 1, 4).getInt());
      int length = data.length - HEADER_BYTES;
      try {
        return new GenericDatumReader<GenericRecord>(written, expected)
            .read(null, DecoderFactory.get().binaryDecoder(data, HEADER_BYTES, length, null));
      } catch (IOException | AvroRuntimeException e) {
        throw new SerializationException("the bytes do not fit schema " + written.getName(), e);
      }
    }
  }
}
