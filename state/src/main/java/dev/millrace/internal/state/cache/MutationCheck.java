package dev.millrace.internal.state.cache;

import dev.millrace.internal.state.layer.ByteTable;
import java.util.Arrays;

/// Finds objects that were changed without being put again. Only while assertions are on.
///
/// Such a change would be visible to some reads and not to others, and never become durable. The
/// hash of a clean object's encoding is kept from the time when it became clean, and compared for
/// some objects at each commit: for all if they are few. Serdes that encode one object in several
/// ways are not reported.
public final class MutationCheck {
  private static final int OBJECTS = 256;
  private static final int ENTRIES = 4096;

  private int[] fingerprints = new int[16];
  private int next;

  /// Encodes an object and hashes the bytes.
  @FunctionalInterface
  public interface Fingerprints {
    int of(int entry, Object object);
  }

  /// Records the hash of a clean object's encoding.
  public boolean note(int entry, int fingerprint) {
    if (entry >= fingerprints.length) {
      fingerprints = Arrays.copyOf(fingerprints, Math.max(entry + 1, fingerprints.length * 2));
    }
    fingerprints[entry] = fingerprint;
    return true;
  }

  /// Checks the next clean objects in turn.
  ///
  /// @return the entry of one that was changed, or [ByteTable#NONE]
  public int findChanged(ObjectCache cache, Fingerprints current) {
    int objects = 0;
    for (int seen = 0; seen < Math.min(cache.end(), ENTRIES) && objects < OBJECTS; seen++) {
      int entry = next < cache.end() ? next : 0;
      next = entry + 1;
      Object object = cache.object(entry);
      if (object != null && cache.isClean(entry)) {
        objects++;
        int fingerprint = current.of(entry, object);
        if (fingerprint != fingerprints[entry] && fingerprint == current.of(entry, object)) {
          return entry;
        }
      }
    }
    return ByteTable.NONE;
  }
}
