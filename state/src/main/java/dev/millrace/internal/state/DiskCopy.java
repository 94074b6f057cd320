package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.spi.Disk;
import org.jspecify.annotations.Nullable;

/// Shows what a task has from another one, in steps, so that it can be written to its own
/// changelog: the entries on its disk, in the order of their keys, which nothing above the disk has
/// changed. Those that are changed meanwhile are written by the task's commits.
///
/// Where it stands is lost at a restart; it begins again then.
public final class DiskCopy {
  private static final Bytes FIRST = Bytes.of(new byte[] {0, 1});

  private final StoreContext context;

  /// The key to go on from; null behind the last one.
  private @Nullable Bytes from = FIRST;

  DiskCopy(StoreContext context) {
    this.context = context;
  }

  /// Returns whether all entries were shown.
  public boolean isDone() {
    return from == null;
  }

  /// Shows the next entries.
  ///
  /// @param mostBytes about how many bytes of keys and values
  /// @return how many entries were shown
  public int step(int mostBytes, ChangeVisitor visitor) {
    Bytes start = from;
    if (start == null) {
      return 0;
    }
    int shown = 0;
    long bytes = 0;
    try (Disk.Cursor cursor = context.layers().disk().range(start, null)) {
      while (cursor.next()) {
        Bytes key = cursor.key();
        if (bytes >= mostBytes) {
          from = key.copy();
          return shown;
        }
        bytes += key.length() + cursor.value().length();
        if (context.isOwn(key) && context.isOnDiskOnly(ByteTable.hash(key), key)) {
          visitor.change(key, cursor.value());
          shown++;
        }
      }
    }
    from = null;
    return shown;
  }
}
