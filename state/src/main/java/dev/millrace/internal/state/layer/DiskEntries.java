package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;

/// Entries on disk in the order of their keys.
final class DiskEntries extends SortedEntries {
  private final Disk.Cursor cursor;

  /// @param cursor closed with this
  DiskEntries(int rank, Disk.Cursor cursor) {
    super(rank);
    this.cursor = cursor;
  }

  @Override
  protected boolean next() {
    if (!cursor.next()) {
      return false;
    }
    Bytes found = cursor.key();
    key().set(found.array(), found.offset(), found.length());
    return true;
  }

  @Override
  protected boolean isDeleted() {
    return false;
  }

  @Override
  public Bytes encoded() {
    return cursor.value();
  }

  @Override
  protected void close() {
    cursor.close();
  }
}
