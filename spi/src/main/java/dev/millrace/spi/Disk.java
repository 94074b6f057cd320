package dev.millrace.spi;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// The durable state of one task: a sorted map from bytes to bytes, and a position.
///
/// It is written only by [#ingest], or [#prepare] and what follows: a whole sorted run and the
/// position it reaches become visible and durable together or not at all. **The one promise**:
/// after a crash at any moment, a kill of the process included, the disk holds exactly a prefix of
/// the ingests that were called, and [#position] tells which. An ingest that has returned survives
/// a kill of the process; whether it survives a loss of power as well is the implementation's to
/// say, the prefix promise holds in both cases.
///
/// Keys are in unsigned lexicographic order. The empty key is reserved: reading or ingesting it is
/// an `IllegalArgumentException`. Used by one thread at a time. Failures are [DiskException]s,
/// which name the directory and say what may be done. [#close] closes the cursors that are still
/// open; whatever is called after it is an `IllegalStateException`, except a second close, which
/// does nothing.
public interface Disk extends AutoCloseable {

  /// The position of the last ingest as it was handed in, or null if nothing was ever ingested.
  byte @Nullable [] position();

  /// The value of a key, or null if there is none.
  byte @Nullable [] get(Bytes key);

  /// The values of many keys, in their order, null for those that have none.
  byte[] @Nullable [] multiGet(Bytes[] keys, int count);

  /// The entries with `from <= key < to` in ascending order; to the end if `to` is null. The cursor
  /// sees the disk as it was at the call, or fails if used after a later ingest; it must be closed.
  Cursor range(Bytes from, @Nullable Bytes to);

  /// Applies a run: each of its entries replaces or deletes its key. Then [#position] returns
  /// `position`. A run without entries moves the position alone. If the run itself throws, or is
  /// not ascending (an `IllegalArgumentException`), nothing has happened.
  void ingest(SortedRun run, byte[] position);

  /// Begins an [#ingest] whose work is done in the background, where the implementation can. Until
  /// [Ingest#finish] a key of the run may be found with its old or its new value, [#position]
  /// stays, and nothing else may be ingested, nor an image be taken: that is an
  /// `IllegalStateException`. When the disk is closed before, nobody knows whether the ingest has
  /// happened.
  ///
  /// @param run read by another thread, perhaps, until [Ingest#finish] has returned
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

  /// The disk as it is now, for another thread to copy; see [DiskImage]. That takes milliseconds,
  /// whatever the size of the state. Null if nothing was ever ingested, or if disks of this kind
  /// have no images.
  @Nullable DiskImage image();

  /// Approximate size of the state in bytes.
  long sizeBytes();

  @Override
  void close();

  /// An ingest under way; used by the thread of the disk.
  interface Ingest {
    /// Whether [#finish] would not have to wait.
    boolean ready();

    /// Waits for the rest; then the ingest has happened, or has failed as [Disk#ingest] would.
    /// Called once.
    void finish();
  }

  /// Entries in strictly ascending order of key, read once from the start.
  interface SortedRun {
    /// Moves to the next entry, first to the first one; false after the last.
    boolean next();

    /// The current key; valid until the next move.
    Bytes key();

    /// The current value, valid until the next move, or null if the key is to be deleted.
    @Nullable Bytes value();
  }

  /// A read position among entries; starts before the first.
  interface Cursor extends AutoCloseable {
    boolean next();

    /// The current key; valid until the next move.
    Bytes key();

    /// The current value; valid until the next move.
    Bytes value();

    @Override
    void close();
  }
}
