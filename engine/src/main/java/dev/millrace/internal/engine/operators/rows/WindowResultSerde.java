package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Schemas;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Results of windows on their way through an exchange: start and end in milliseconds since 1970,
/// then key and value with their lengths.
public final class WindowResultSerde implements Serde<WindowResult<Object, Object>> {
  private final Serde<Object> keys;
  private final Serde<Object> values;

  public WindowResultSerde(Serde<Object> keys, Serde<Object> values) {
    this.keys = keys;
    this.values = values;
  }

  @Override
  public String id() {
    return "window-result(" + keys.id() + "," + values.id() + ")";
  }

  @Override
  public String schema() {
    return Schemas.compose("window-result", keys, values);
  }

  @Override
  public boolean canRead(String writtenSchema) {
    return Schemas.canRead(writtenSchema, "window-result", keys, values);
  }

  @Override
  public Optional<Serde<WindowResult<Object, Object>>> writingAs(String olderSchema) {
    return Schemas.writingAs(
        olderSchema,
        "window-result",
        List.of(keys, values),
        parts -> new WindowResultSerde(parts.get(0), parts.get(1)));
  }

  @Override
  public void write(WindowResult<Object, Object> result, BytesWriter out) {
    out.writeLong(result.window().start().toEpochMilli());
    out.writeLong(result.window().end().toEpochMilli());
    Frames.write(keys, result.key(), out);
    Frames.write(values, result.value(), out);
  }

  @Override
  public WindowResult<Object, Object> read(Bytes in) {
    Frames.Reader reader = new Frames.Reader(in);
    Instant start = Instant.ofEpochMilli(reader.readLong());
    Instant end = Instant.ofEpochMilli(reader.readLong());
    Object key = Opened.object(keys, reader.frame());
    Object value = Opened.object(values, reader.frame());
    reader.end();
    return new WindowResult<>(new Window(start, end), key, value);
  }
}
