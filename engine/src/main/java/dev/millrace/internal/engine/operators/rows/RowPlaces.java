package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.TimeKey;

/// Places of rows that waited: of which side, which of those of its key and time, and the
/// [TimeKey]. What tells one from others in every attempt is its value instead of its number, as
/// rows may come in another order then.
public final class RowPlaces {
  private static final int HEAD_BYTES = 1 + Integer.BYTES;

  private RowPlaces() {}

  /// @param index of the row among those of its key and time
  public static Bytes of(int side, int index, Bytes timeKey) {
    BytesWriter out = new BytesWriter(64);
    out.writeByte(side);
    out.writeInt(index);
    out.write(timeKey);
    return Bytes.of(out.toByteArray());
  }

  public static int side(Bytes place) {
    return place.get(0);
  }

  static int index(Bytes place) {
    return new Frames.Reader(new Bytes().set(place.array(), place.offset() + 1, Integer.BYTES))
        .readInt();
  }

  static Bytes timeKey(Bytes place) {
    return new Bytes().set(place.array(), place.offset() + HEAD_BYTES, place.length() - HEAD_BYTES);
  }

  /// What tells a row from others.
  public static Bytes id(int side, Bytes timeKey, Serde<Object> values, Object value) {
    BytesWriter out = new BytesWriter(64);
    out.writeByte(side);
    Frames.write(timeKey, out);
    values.write(value, out);
    return Bytes.of(out.toByteArray());
  }

  /// Whether that is told by an id.
  static boolean isOf(Bytes timeKey, Bytes id) {
    int from = 1 + Integer.BYTES;
    return id.length() >= from + timeKey.length()
        && new Bytes().set(id.array(), id.offset() + from, timeKey.length()).equals(timeKey);
  }

  static Due due(Bytes id, Bytes timeKey) {
    Bytes key = TimeKey.rowKey(timeKey, new Bytes());
    return new Due(id, "row", key, TimeKey.time(timeKey), null);
  }
}
