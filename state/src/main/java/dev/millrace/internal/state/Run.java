package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import org.jspecify.annotations.Nullable;

/// Entries in ascending order of key, of one layer; starts before the first.
abstract sealed class Run {
  /// The layer, counted from the top: of equal keys the one with the least rank is valid.
  final int rank;

  /// The current key.
  final Bytes key = new Bytes();

  private Run(int rank) {
    this.rank = rank;
  }

  abstract boolean next();

  abstract boolean isDeleted();

  /// The entry of the cache that holds the current value, or [ByteTable#NONE].
  int cached() {
    return ByteTable.NONE;
  }

  /// The current value if it is encoded; valid until the next move.
  abstract @Nullable Bytes encoded();

  void close() {}

  /// Live objects.
  static final class Live extends Run {
    private final ObjectCache cache;
    private final int[] entries;
    private final int end;
    private int at;

    Live(ObjectCache cache, int[] entries, int start, int end) {
      super(0);
      this.cache = cache;
      this.entries = entries;
      this.end = end;
      at = start - 1;
    }

    @Override
    boolean next() {
      if (++at >= end) {
        return false;
      }
      cache.key(entries[at], key);
      return true;
    }

    @Override
    boolean isDeleted() {
      return !cache.isThere(entries[at]);
    }

    @Override
    int cached() {
      return entries[at];
    }

    @Override
    @Nullable Bytes encoded() {
      return null;
    }
  }

  /// Entries of a layer.
  static final class Encoded extends Run {
    private final Layer layer;
    private final int[] entries;
    private final int end;
    private final Bytes value = new Bytes();
    private int at;

    Encoded(int rank, Layer layer, int[] entries, int start, int end) {
      super(rank);
      this.layer = layer;
      this.entries = entries;
      this.end = end;
      at = start - 1;
    }

    @Override
    boolean next() {
      if (++at >= end) {
        return false;
      }
      layer.key(entries[at], key);
      return true;
    }

    @Override
    boolean isDeleted() {
      return layer.isDeleted(entries[at]);
    }

    @Override
    @Nullable Bytes encoded() {
      return layer.value(entries[at], value);
    }
  }

  /// Entries on disk.
  static final class OnDisk extends Run {
    private final Disk.Cursor cursor;

    OnDisk(Disk.Cursor cursor) {
      super(6);
      this.cursor = cursor;
    }

    @Override
    boolean next() {
      if (!cursor.next()) {
        return false;
      }
      Bytes found = cursor.key();
      key.set(found.array(), found.offset(), found.length());
      return true;
    }

    @Override
    boolean isDeleted() {
      return false;
    }

    @Override
    Bytes encoded() {
      return cursor.value();
    }

    @Override
    void close() {
      cursor.close();
    }
  }
}
