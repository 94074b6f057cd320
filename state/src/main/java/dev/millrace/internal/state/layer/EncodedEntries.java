package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Entries whose keys and values are encoded, as they are written to the disk.
interface EncodedEntries extends KeyedEntries {

  /// Moves `view` over the key; valid until the entries change.
  Bytes key(int entry, Bytes view);

  /// Moves `view` over the value; valid until the entries change; null if the key is deleted.
  @Nullable Bytes value(int entry, Bytes view);

  /// How many entries are asked for side by side.
  int TOUCHED = 64;

  /// Prefetches the memory of some entries that are about to be read, in parallel instead of
  /// waiting for each.
  ///
  /// @return what says nothing; without it the processor would not be asked
  private int touch(int[] entries, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      sum += keyOffset(entries[i]);
    }
    for (int i = from; i < to; i++) {
      sum += keyArray(entries[i])[keyOffset(entries[i])];
    }
    return sum;
  }

  /// Returns the numbers of the first `count` entries in the order of their keys; equal keys in
  /// that of the entries.
  default int[] sorted(int count) {
    int[] entries = new int[count];
    Arrays.setAll(entries, i -> i);
    KeySort.sort(this, entries);
    return entries;
  }

  /// Returns some entries as a run.
  ///
  /// @param inOrder tells which, in the order of their keys; asked by who reads the run first,
  ///   which may be another thread
  default Disk.SortedRun runOf(Supplier<int[]> inOrder) {
    Bytes keyView = new Bytes();
    Bytes valueView = new Bytes();
    return new Disk.SortedRun() {
      private int[] entries = {};
      private int at = -1;

      // Nobody reads it.
      @SuppressWarnings("UnusedVariable")
      private int touched;

      @Override
      public boolean next() {
        if (at < 0) {
          entries = inOrder.get();
        }
        if (++at >= entries.length) {
          return false;
        }
        if (at % TOUCHED == 0) {
          touched = touch(entries, at, Math.min(at + TOUCHED, entries.length));
        }
        return true;
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
