package dev.millrace.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Entries whose keys and values are bytes, as they go to the disk.
interface EncodedEntries extends Keys {

  /// Moves `view` over the key; valid until the entries change.
  Bytes key(int entry, Bytes view);

  /// Moves `view` over the value; valid until the entries change; null if the key is deleted.
  @Nullable Bytes value(int entry, Bytes view);

  /// The numbers of the first `count` entries in the order of their keys; equal keys in that of the
  /// entries.
  default int[] sorted(int count) {
    int[] entries = new int[count];
    Arrays.setAll(entries, i -> i);
    KeySort.sort(this, entries);
    return entries;
  }

  /// Some entries, in the order given, which must be that of their keys.
  default Disk.SortedRun runOf(int[] entries) {
    Bytes keyView = new Bytes();
    Bytes valueView = new Bytes();
    return new Disk.SortedRun() {
      private int at = -1;

      @Override
      public boolean next() {
        return ++at < entries.length;
      }

      @Override
      public Bytes key() {
        return EncodedEntries.this.key(entries[at], keyView);
      }

      @Override
      public @Nullable Bytes value() {
        return EncodedEntries.this.value(entries[at], valueView);
      }
    };
  }
}
