package dev.millrace.spi;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// The durable state of one task: a sorted map from bytes to bytes, and a position.
///
/// It is written only by [#ingest], or by [#prepare] and [Ingest#finish]: a whole sorted run and
/// its position become visible and durable together or not at all. **The one promise**: after a
/// crash at any moment, including a kill of the process, the disk holds exactly a prefix of the
/// ingests that were called, and [#position] returns the position of the last of them. An ingest
/// that has returned survives a kill of the process. Whether it also survives a loss of power
/// depends on the implementation; the promise of a prefix holds in both cases.
///
/// Keys are in unsigned lexicographic order. The empty key is reserved: reading or ingesting it
/// throws an `IllegalArgumentException`. Used by one thread at a time. Failures are
/// [DiskException]s, which name the directory and say what to do. [#close] closes the cursors that
/// are still open; calls after it throw an `IllegalStateException`, except a second close, which
/// does nothing.
public interface Disk extends AutoCloseable {

  /// Returns the position of the last ingest, unchanged, or null if nothing was ever ingested.
  byte @Nullable [] position();

  /// Returns the value of a key, or null if there is none.
  byte @Nullable [] get(Bytes key);

  /// Returns the values of the first `count` keys, in their order; null for a key without a value.
  byte[] @Nullable [] multiGet(Bytes[] keys, int count);

  /// Returns the entries with `from <= key < to` in ascending order of keys; to the end if `to` is
  /// null. The cursor reads the disk as it was at the call, or fails if it is used after a later
  /// ingest. The caller closes it.
  Cursor range(Bytes from, @Nullable Bytes to);

  /// Applies a run: each of its entries replaces or deletes its key. Then [#position] returns
  /// `position`. A run without entries changes only the position. If the run itself throws, or is
  /// not ascending (an `IllegalArgumentException`), the disk is unchanged.
  void ingest(SortedRun run, byte[] position);

  /// Begins an [#ingest] that the implementation may do in the background. Until [Ingest#finish], a
  /// key of the run may have its old or its new value, and [#position] does not change; another
  /// ingest or an image throws an `IllegalStateException`. If the disk is closed before, it is
  /// unknown whether the ingest took effect.
  ///
  /// @param run may be read by another thread until [Ingest#finish] has returned
  default Ingest prepare(SortedRun run, byte[] position) {
    return new Ingest() {
      @Override
      public boolean ready() {
        return true;
      }

      @Override
      public void finish() {
        ingest(run, position);
      }
    };
  }

  /// Returns an image of the disk as it is now, for another thread to copy; see [DiskImage]. It
  /// takes milliseconds, whatever the size of the state. Returns null if nothing was ever ingested,
  /// or if disks of this kind have no images.
  @Nullable DiskImage image();

  /// Returns the approximate size of the state in bytes: in files as they are, compressed or not,
  /// with what was replaced or deleted and not merged away yet; in memory, keys and values.
  long sizeBytes();

  /// Returns the approximate part of [#sizeBytes] that is taken by the entries with `from <= key <
  /// to`. It takes up to a millisecond: little is read.
  long sizeBytes(Bytes from, Bytes to);

  @Override
  void close();

  /// An ingest under way; used by the thread of the disk.
  interface Ingest {
    /// Returns whether [#finish] would return without waiting.
    boolean ready();

    /// Waits until the ingest is complete, or throws as [Disk#ingest] does. Called once.
    void finish();
  }

  /// Entries in strictly ascending order of key, read once from the start.
  interface SortedRun {
    /// Moves to the next entry, at the first call to the first one. Returns false after the last.
    boolean next();

    /// Returns the current key; valid until the next move.
    Bytes key();

    /// Returns the current value, valid until the next move, or null if the key is to be deleted.
    @Nullable Bytes value();
  }

  /// A cursor over entries; starts before the first.
  interface Cursor extends AutoCloseable {
    boolean next();

    /// Returns the current key; valid until the next move.
    Bytes key();

    /// Returns the current value; valid until the next move.
    Bytes value();

    @Override
    void close();
  }
}
