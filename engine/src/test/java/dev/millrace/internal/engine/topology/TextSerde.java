package dev.millrace.internal.engine.topology;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import java.util.function.Function;

/// Values as text, in the format of the moment. Not canonical, as a JSON serde is not.
public record TextSerde<T>(String id, Function<T, String> writer, Function<String, T> reader)
    implements Serde<T> {

  /// A serde that only has a name: for topologies that are built and not run.
  public static <T> TextSerde<T> named(String id) {
    return new TextSerde<>(id, Object::toString, _ -> null);
  }

  @Override
  public void write(T value, BytesWriter out) {
    out.write(Bytes.ofUtf8(writer.apply(value)));
  }

  @Override
  public T read(Bytes in) {
    return reader.apply(in.toUtf8());
  }
}
