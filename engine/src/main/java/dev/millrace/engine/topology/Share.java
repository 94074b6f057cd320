package dev.millrace.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.serde.Bytes;

/// A share of all there may be, by a hash of bytes: FNV-1a with 64 bits, mixed by the last steps of
/// Murmur3 so that keys that differ little are spread as well. It has nothing in common with the
/// hash by which keys are dealt out to partitions. A smaller share is part of a larger one.
///
/// @param limit of the hash's upper 53 bits, those below it are in
public record Share(long limit) {
  private static final int BITS = 53;

  static Share of(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new InvalidTopologyException(
          "sample keeps a share from 0 to 1; found %s.".formatted(share));
    }
    return new Share((long) (share * (1L << BITS)));
  }

  public boolean holds(Bytes bytes) {
    return hash(bytes) >>> (Long.SIZE - BITS) < limit;
  }

  static long hash(Bytes bytes) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < bytes.length(); i++) {
      hash = (hash ^ (bytes.get(i) & 0xFF)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
