package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import org.jspecify.annotations.Nullable;

/// The entries of two layers, first those of the older one: of two entries of a key, the newer one
/// is the last and valid.
record LayerPair(Layer older, Layer newer) implements EncodedEntries {

  /// Returns the entries of both, in order; valid until one of them changes. Another thread may
  /// read it meanwhile: searches in a layer do not change what is read here.
  Disk.SortedRun sortedRun() {
    return runOf(() -> KeySort.lastOfEach(this, older.count() + newer.count()));
  }

  /// Returns the value of a key as [Layer#get].
  @Nullable Bytes get(int hash, Bytes key, Bytes view) {
    Bytes found = newer.get(hash, key, view);
    return found == null ? older.get(hash, key, view) : found;
  }

  @Override
  public byte[] keyArray(int entry) {
    return isOlder(entry) ? older.keyArray(entry) : newer.keyArray(inNewer(entry));
  }

  @Override
  public int keyOffset(int entry) {
    return isOlder(entry) ? older.keyOffset(entry) : newer.keyOffset(inNewer(entry));
  }

  @Override
  public int keyLength(int entry) {
    return isOlder(entry) ? older.keyLength(entry) : newer.keyLength(inNewer(entry));
  }

  @Override
  public Bytes key(int entry, Bytes view) {
    return isOlder(entry) ? older.key(entry, view) : newer.key(inNewer(entry), view);
  }

  @Override
  public @Nullable Bytes value(int entry, Bytes view) {
    return isOlder(entry) ? older.value(entry, view) : newer.value(inNewer(entry), view);
  }

  private boolean isOlder(int entry) {
    return entry < older.count();
  }

  private int inNewer(int entry) {
    return entry - older.count();
  }
}
