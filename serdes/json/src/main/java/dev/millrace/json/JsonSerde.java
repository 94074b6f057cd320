package dev.millrace.json;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import java.io.OutputStream;
import java.lang.reflect.Type;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/// Values of one type as JSON.
final class JsonSerde<T> implements Serde<T> {
  private final String id;
  private final boolean canonical;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  JsonSerde(Type type, JavaType javaType, JsonMapper mapper) {
    id = "json:" + type.getTypeName();
    canonical = CanonicalTypes.includes(type);
    reader = mapper.readerFor(javaType);
    writer = mapper.writerFor(javaType);
  }

  @Override
  public String id() {
    return id;
  }

  /// JSON says its shape itself, so every version reads every other.
  @Override
  public String schema() {
    return "json";
  }

  @Override
  public boolean canonical() {
    return canonical;
  }

  @Override
  public void write(T value, BytesWriter out) {
    try {
      writer.writeValue(new Appending(out), value);
    } catch (JacksonException e) {
      throw Faults.writing(e);
    }
  }

  @Override
  public T read(Bytes in) {
    requireUtf8(in);
    T value;
    try {
      value = reader.readValue(in.array(), in.offset(), in.length());
    } catch (JacksonException e) {
      throw Faults.reading(e);
    }
    if (value == null) {
      throw new SerdeException("expected a value, found null");
    }
    return value;
  }

  /// Jackson lets some malformed UTF-8 pass.
  private static void requireUtf8(Bytes in) {
    byte[] array = in.array();
    for (int i = in.offset(), end = i + in.length(); i < end; i++) {
      if (array[i] < 0) {
        Serdes.string().read(in);
        return;
      }
    }
  }

  @Override
  public String toString() {
    return id;
  }

  private static final class Appending extends OutputStream {
    private final BytesWriter out;

    Appending(BytesWriter out) {
      this.out = out;
    }

    @Override
    public void write(int value) {
      out.writeByte(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) {
      out.write(bytes, offset, count);
    }
  }
}
