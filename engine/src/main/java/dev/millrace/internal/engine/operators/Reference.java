package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An entry of a table on its way to the entry of another that it refers to.
///
/// @param refers whether it refers to one: its foreign key is not null
/// @param foreignKey null if it has none, and where it was read again: there it is the row's key
public record Reference(KeyedValue entry, boolean refers, @Nullable Object foreignKey) {

  /// @param foreignKey null if the entry refers to nothing
  public static Reference of(Object key, Object value, @Nullable Object foreignKey) {
    return new Reference(new KeyedValue(key, value), foreignKey != null, foreignKey);
  }

  /// What decides where it goes: what it refers to; if that is nothing, its own key, as any task
  /// will do.
  public Object destination() {
    Object to = foreignKey;
    return to == null ? new Own(entry.key()) : to;
  }

  private record Own(Object key) {}

  /// How destinations are written.
  public record Destinations(Serde<Object> foreignKeys, Serde<Object> keys)
      implements Serde<Object> {
    @Override
    public String id() {
      return foreignKeys.id();
    }

    @Override
    public String schema() {
      return foreignKeys.schema();
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return foreignKeys.canRead(writtenSchema);
    }

    @Override
    public boolean canonical() {
      return foreignKeys.canonical();
    }

    @Override
    public void write(Object value, BytesWriter out) {
      if (value instanceof Own own) {
        keys.write(own.key, out);
      } else {
        foreignKeys.write(value, out);
      }
    }

    @Override
    public Object read(Bytes in) {
      return foreignKeys.read(in);
    }
  }

  /// How it is written: a byte that says whether it refers to anything, and the entry.
  public record Format(KeyedValue.Format entries) implements Serde<Object> {
    @Override
    public String id() {
      return "reference(" + entries.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("reference", entries);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "reference", entries);
    }

    @Override
    public Optional<Serde<Object>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema,
          "reference",
          List.of(entries),
          parts -> new Format((KeyedValue.Format) parts.getFirst()));
    }

    @Override
    public void write(Object value, BytesWriter out) {
      Reference reference = (Reference) value;
      out.writeByte(reference.refers ? 1 : 0);
      entries.write(reference.entry, out);
    }

    @Override
    public Object read(Bytes in) {
      Bytes entry = new Bytes().set(in.array(), in.offset() + 1, in.length() - 1);
      return new Reference((KeyedValue) entries.read(entry), in.get(0) != 0, null);
    }
  }
}
