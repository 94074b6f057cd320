package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a table had for a key at any event time, as far back as anybody may ask: each change of a
/// key under its time, newest first.
final class Versions {
  private static final Version NONE = new Version(null);

  /// Before all times.
  private static final long EARLIEST = Long.MIN_VALUE + 2;

  private final Spec spec;
  private final KeyTime keyTime = new KeyTime();
  private final TimeKey timeKey = new TimeKey();
  private @Nullable KeyValueStore<Bytes, Version> versions;
  private @Nullable Notes notes;

  Versions(Spec spec) {
    this.spec = spec;
  }

  /// What a key has from a time on.
  ///
  /// @param value null if it has none
  record Version(@Nullable Object value) {}

  /// The stores they take.
  record Spec(StoreSpec<Bytes, Version> versions, StoreSpec<Bytes, Boolean> notes) {
    static Spec of(String name, Serde<Object> keys, Serde<Object> values) {
      return new Spec(
          KeyBytesSerde.beforeTime(keys).spec(name, new Format(values)),
          Notes.spec(name + "-times", keys));
    }

    List<StoreSpec<?, ?>> all() {
      return List.of(versions, notes);
    }
  }

  void open(OperatorContext context) {
    versions = context.store(spec.versions);
    notes = new Notes(context.store(spec.notes));
  }

  void close() {
    versions = null;
    notes = null;
  }

  /// The version that held at a time.
  Version at(Bytes key, long time) {
    Version[] found = {NONE};
    range(
        key,
        time,
        EARLIEST,
        (_, version) -> {
          found[0] = version;
          return false;
        });
    return found[0];
  }

  /// The time of the first version behind a time; `Long.MAX_VALUE` if there is none.
  long nextAfter(Bytes key, long time) {
    long[] next = {Long.MAX_VALUE};
    range(
        key,
        Long.MAX_VALUE,
        time + 1,
        (place, _) -> {
          next[0] = -KeyTime.time(place);
          return true;
        });
    return next[0];
  }

  /// Shows versions from a time back to an earlier one.
  private void range(
      Bytes key, long latest, long earliest, KeyValueStore.Visitor<Bytes, Version> visitor) {
    Bytes first = keyTime.of(key, -latest).copy();
    Bytes behind = keyTime.of(key, -earliest + 1).copy();
    Opened.store(versions).range(first, behind, visitor);
  }

  /// A key has another value from a time on.
  ///
  /// @param value null if it has none
  void put(Bytes key, long time, @Nullable Object value) {
    Opened.store(versions).put(keyTime.of(key, -time), new Version(value));
    Opened.store(notes).put(timeKey.of(time, key));
  }

  /// Lets go of versions that a newer one had replaced at a time.
  ///
  /// @return whether all are gone
  boolean forget(long time, int budget) {
    return Opened.store(notes).take(time, budget, this::forgetBefore);
  }

  /// Of a key only the version of that change is left, or none if it deleted the key.
  private void forgetBefore(Bytes key, long time) {
    List<Bytes> old = new ArrayList<>();
    range(
        key,
        time,
        EARLIEST,
        (place, version) -> {
          if (KeyTime.time(place) != -time || version.value() == null) {
            old.add(place.copy());
          }
          return true;
        });
    old.forEach(Opened.store(versions)::delete);
  }

  /// Versions in the store: whether there is a value, and the value.
  record Format(Serde<Object> values) implements Serde<Version> {
    @Override
    public String id() {
      return "version(" + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("version", values);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "version", values);
    }

    @Override
    public void write(Version version, BytesWriter out) {
      out.writeByte(version.value() == null ? 0 : 1);
      if (version.value() != null) {
        values.write(version.value(), out);
      }
    }

    @Override
    public Version read(Bytes in) {
      if (in.length() == 0 || in.get(0) < 0 || in.get(0) > 1) {
        throw new SerdeException("Found " + in + " where a version begins with 00 or 01.");
      }
      if (in.get(0) == 0) {
        return NONE;
      }
      Bytes rest = new Bytes().set(in.array(), in.offset() + 1, in.length() - 1);
      Object value = values.read(rest);
      return new Version(Opened.kept(value));
    }
  }
}
