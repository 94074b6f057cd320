package dev.millrace.internal.beam.state;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.operators.Frames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.beam.sdk.coders.Coder;
import org.jspecify.annotations.Nullable;

/// The stores of an operator's state. A cell is what a state of one name has for one key in one
/// window: one value, or any number of entries in the order of their keys.
///
/// A value is written with a byte before it, since a store has no empty values.
public final class Cells {
  private static final int MARK = 1;

  /// So many entries are deleted at once.
  private static final int AT_ONCE = 1_000;

  private final KeyValueStore<Bytes, Bytes> values;
  private final KeyValueStore<Bytes, Bytes> entries;

  /// What was cleared while it may be read still.
  private final Map<Bytes, List<Span>> toClear = new LinkedHashMap<>();

  /// The numbers of a cell's entries.
  ///
  /// @param next the number behind the last
  record Span(long first, long next) {
    long size() {
      return next - first;
    }
  }

  Cells(KeyValueStore<Bytes, Bytes> values, KeyValueStore<Bytes, Bytes> entries) {
    this.values = values;
    this.entries = entries;
  }

  /// Declares the store of single values.
  public static StoreSpec<Bytes, Bytes> values(String operator) {
    return StoreSpec.keyValue(operator + "-values", BytesSerde.INSTANCE, BytesSerde.INSTANCE);
  }

  /// Declares the store of entries.
  public static StoreSpec<Bytes, Bytes> entries(String operator) {
    return StoreSpec.keyValue(operator + "-entries", BytesSerde.INSTANCE, BytesSerde.INSTANCE)
        .withRanges();
  }

  /// Returns the place of a cell: no place begins with another one.
  ///
  /// @param kind of what is there
  static Bytes place(byte kind, Bytes key, Bytes namespace, String name) {
    BytesWriter out = new BytesWriter(64);
    out.writeByte(kind);
    Frames.write(key, out);
    Frames.write(namespace, out);
    frame(name, out);
    return Bytes.of(out.toByteArray());
  }

  static void frame(String part, BytesWriter out) {
    Frames.write(Bytes.ofUtf8(part), out);
  }

  /// Returns the value of a cell as bytes behind a mark; null if it has none.
  @Nullable Bytes find(Bytes place) {
    return values.get(place);
  }

  boolean isSet(Bytes place) {
    return values.get(place) != null;
  }

  /// Sets the value of a cell, or takes it away if there is none.
  ///
  /// @return how many bytes it has
  <T> int set(Bytes place, Coder<T> coder, @Nullable T value) {
    if (value == null) {
      delete(place);
      return 0;
    }
    Bytes marked = marked(coder, value);
    values.put(place, marked);
    return marked.length();
  }

  void delete(Bytes place) {
    values.delete(place);
  }

  /// Returns the number of a cell; 0 if it has none.
  long number(Bytes place) {
    Bytes found = values.get(place);
    return found == null ? 0 : new Frames.Reader(found).readLong();
  }

  void putNumber(Bytes place, long number) {
    BytesWriter out = new BytesWriter(Long.BYTES);
    out.writeLong(number);
    values.put(place, Bytes.of(out.toByteArray()));
  }

  /// Returns the numbers of a cell's entries; from 0 to 0 if it has never had any.
  Span span(Bytes place) {
    Bytes found = values.get(place);
    if (found == null) {
      return new Span(0, 0);
    }
    Frames.Reader from = new Frames.Reader(found);
    long next = from.readLong();
    return new Span(from.atEnd() ? 0 : from.readLong(), next);
  }

  void putSpan(Bytes place, Span span) {
    BytesWriter out = new BytesWriter(2 * Long.BYTES);
    out.writeLong(span.next());
    if (span.first() > 0) {
      out.writeLong(span.first());
    }
    values.put(place, Bytes.of(out.toByteArray()));
  }

  <T> @Nullable T entry(Bytes place, Coder<T> coder) {
    Bytes found = entries.get(place);
    return found == null ? null : Coding.read(coder, found, MARK);
  }

  boolean hasEntry(Bytes place) {
    return entries.get(place) != null;
  }

  <T> void putEntry(Bytes place, Coder<T> coder, T value) {
    entries.put(place, marked(coder, value));
  }

  /// Sets an entry that has several values, as bytes.
  void putPiece(Bytes place, Bytes piece) {
    entries.put(place, piece);
  }

  void deleteEntry(Bytes place) {
    entries.delete(place);
  }

  private static <T> Bytes marked(Coder<T> coder, T value) {
    BytesWriter out = new BytesWriter(64);
    out.writeByte(MARK);
    Coding.write(coder, value, out);
    return Bytes.of(out.toByteArray());
  }

  /// Visits the entries of a cell in the order of their keys.
  ///
  /// @param visitor gets the key of the store, and the value's bytes behind a mark
  void walk(Bytes place, BiConsumer<Bytes, Bytes> visitor) {
    walk(place, after(place), visitor);
  }

  /// Visits entries from one key of the store to before another one.
  void walk(Bytes from, @Nullable Bytes to, BiConsumer<Bytes, Bytes> visitor) {
    entries.range(
        from,
        to,
        (key, value) -> {
          visitor.accept(key, value);
          return true;
        });
  }

  /// Returns the values of a cell's entries in the order of their keys.
  <T> List<T> entries(Bytes place, Coder<T> coder) {
    List<T> all = new ArrayList<>();
    walk(place, (_, value) -> all.add(value(coder, value)));
    return all;
  }

  static <T> T value(Coder<T> coder, Bytes marked) {
    return Coding.read(coder, marked, MARK);
  }

  /// Whether a cell has an entry.
  boolean anyEntry(Bytes place) {
    boolean[] found = {false};
    entries.range(
        place,
        after(place),
        (_, _) -> {
          found[0] = true;
          return false;
        });
    return found[0];
  }

  /// Deletes all entries of a cell.
  void clearEntries(Bytes place) {
    clearEntries(place, after(place));
  }

  void clearEntries(Bytes place, Span span) {
    if (span.size() > 0) {
      clearEntries(at(place, span.first()), at(place, span.next()));
    }
  }

  void clearEntries(Bytes from, @Nullable Bytes to) {
    List<Bytes> keys = new ArrayList<>();
    do {
      keys.clear();
      entries.range(
          from,
          to,
          (key, _) -> {
            keys.add(key.copy());
            return keys.size() < AT_ONCE;
          });
      keys.forEach(entries::delete);
    } while (keys.size() == AT_ONCE);
  }

  /// Deletes entries of a cell with the next commit. Until then, their numbers are not to be used.
  void clearLater(Bytes place, Span span) {
    toClear.computeIfAbsent(place, _ -> new ArrayList<>()).add(span);
  }

  /// Whether entries of a cell are deleted with the next commit.
  boolean isToClear(Bytes place) {
    return toClear.containsKey(place);
  }

  /// Deletes what is to be deleted with a commit.
  void beforeCommit() {
    toClear.forEach((place, spans) -> {
      spans.forEach(span -> clearEntries(place, span));
      if (span(place).size() == 0) {
        delete(place);
      }
    });
    toClear.clear();
  }

  /// Returns the first key that does not begin with a place; null if there is none.
  static @Nullable Bytes after(Bytes place) {
    byte[] bytes = place.toByteArray();
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (bytes[i] != (byte) 0xFF) {
        bytes[i]++;
        byte[] next = new byte[i + 1];
        System.arraycopy(bytes, 0, next, 0, i + 1);
        return Bytes.of(next);
      }
    }
    return null;
  }

  /// Returns the place of an entry of a cell.
  static Bytes at(Bytes place, Bytes key) {
    BytesWriter out = new BytesWriter(place.length() + key.length());
    out.write(place);
    out.write(key);
    return Bytes.of(out.toByteArray());
  }

  /// Returns the place of an entry with a number, in the order of these.
  static Bytes at(Bytes place, long number) {
    BytesWriter out = new BytesWriter(place.length() + Long.BYTES);
    out.write(place);
    out.writeLong(number ^ Long.MIN_VALUE);
    return Bytes.of(out.toByteArray());
  }
}
