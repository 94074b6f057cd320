package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The largest values of one window so far, largest first; equal ones by the unsigned order of
/// their keys.
///
/// @param firstRank the rank of the first entry: above 1 when those before it are on their way
///   already
/// @param entries may be changed by the store's owner
public record Ranking(int firstRank, List<Entry> entries) {

  public static Ranking empty() {
    return new Ranking(1, new ArrayList<>());
  }

  /// A ranked value.
  ///
  /// @param key the bytes of the row's key, never moved
  public record Entry(Bytes key, Object value) {}

  /// Puts a value in its place if it is among the `limit` largest.
  ///
  /// @return whether anything changed
  /// @throws IllegalArgumentException if the value cannot be compared
  public boolean add(Bytes key, Object value, int limit) {
    int place = place(key, comparable(value));
    if (place >= limit) {
      return false;
    }
    entries.add(place, new Entry(key.copy(), Opened.kept(value)));
    if (entries.size() > limit) {
      entries.removeLast();
    }
    return true;
  }

  /// Takes the entry of a key out.
  ///
  /// @return whether it was there
  public boolean remove(Bytes key) {
    return entries.removeIf(entry -> entry.key().equals(key));
  }

  /// What is left when the first `count` entries are on their way.
  public Ranking after(int count) {
    return new Ranking(firstRank + count, new ArrayList<>(entries.subList(count, entries.size())));
  }

  private int place(Bytes key, Comparable<Object> value) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (before(key, value, entries.get(middle))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static boolean before(Bytes key, Comparable<Object> value, Entry other) {
    int byValue = value.compareTo(other.value());
    return byValue > 0 || (byValue == 0 && key.compareTo(other.key()) < 0);
  }

  @SuppressWarnings("unchecked")
  private static Comparable<Object> comparable(Object value) {
    if (!(value instanceof Comparable<?>)) {
      throw new IllegalArgumentException(
          "A value cannot be ranked because %s is not Comparable."
              .formatted(value.getClass().getName()));
    }
    return (Comparable<Object>) value;
  }

  /// Rankings in the store.
  public record Format(Serde<Object> keys, Serde<Object> values) implements Serde<Ranking> {

    @Override
    public String id() {
      return "ranking(" + keys.id() + "," + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("ranking", keys, values);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "ranking", keys, values);
    }

    @Override
    public Optional<Serde<Ranking>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema,
          "ranking",
          List.of(keys, values),
          parts -> new Format(parts.get(0), parts.get(1)));
    }

    @Override
    public void write(Ranking ranking, BytesWriter out) {
      out.writeInt(ranking.firstRank());
      out.writeInt(ranking.entries().size());
      for (Entry entry : ranking.entries()) {
        Frames.write(entry.key(), out);
        Frames.write(values, entry.value(), out);
      }
    }

    @Override
    public Ranking read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      int firstRank = reader.readInt();
      int count = reader.readInt();
      if (count < 0 || count > in.length()) {
        throw new SerdeException("Found a ranking of " + count + " entries.");
      }
      List<Entry> entries = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        Bytes key = reader.frame().copy();
        Object value = values.read(reader.frame());
        entries.add(new Entry(key, Opened.kept(value)));
      }
      reader.end();
      return new Ranking(firstRank, entries);
    }
  }
}
