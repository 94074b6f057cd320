package dev.millrace.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.Arrays;
import java.util.function.Supplier;
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

  /// Of the first `count` entries the last one of each key, in the order of the keys.
  default int[] sortedLast(int count) {
    int[] entries = sorted(count);
    int kept = 0;
    for (int i = 0; i < entries.length; i++) {
      if (i + 1 == entries.length || compare(entries[i], entries[i + 1]) != 0) {
        entries[kept++] = entries[i];
      }
    }
    return Arrays.copyOf(entries, kept);
  }

  /// Some entries as a run.
  ///
  /// @param inOrder tells which, in the order of their keys; asked by who reads the run first,
  ///   which may be another thread
  default Disk.SortedRun runOf(Supplier<int[]> inOrder) {
    Bytes keyView = new Bytes();
    Bytes valueView = new Bytes();
    return new Disk.SortedRun() {
      private int[] entries = {};
      private int at = -1;

      @Override
      public boolean next() {
        if (at < 0) {
          entries = inOrder.get();
        }
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
