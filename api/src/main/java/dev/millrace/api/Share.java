package dev.millrace.api;

import dev.millrace.api.serde.Bytes;

/// A share of all there may be, such as a tenth of all members. What belongs to it follows from
/// bytes alone: it is the same after a crash, in every process and application, and for whoever
/// asks outside of a topology. A smaller share is part of a larger one.
///
/// ```java
/// Share tenth = Share.of(0.1);
/// var versions = visits.branch(visit -> tenth.holds(visit.member()));
/// ```
///
/// [BaseStream#sample] keeps what this holds of the bytes of an attribute, and [KeyedStream#sample]
/// of those of the key. Two shares that shall have nothing to do with each other put a name of
/// their own before what they are asked for.
///
/// It is decided by a hash: FNV-1a with 64 bits, mixed by the last steps of Murmur3 so that keys
/// that differ little are spread as well. It has nothing in common with the hash by which keys are
/// dealt out to partitions.
public final class Share {
  private static final int BITS = 53;

  /// Of the hash's upper bits, those below it are in.
  private final long limit;

  /// Whether it is all others that are in.
  private final boolean others;

  private Share(long limit, boolean others) {
    this.limit = limit;
    this.others = others;
  }

  /// @param share from 0, which is nothing, to 1, which is everything
  /// @throws IllegalArgumentException if it is none
  public static Share of(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("A share is from 0 to 1; found %s.".formatted(share));
    }
    return new Share((long) (share * (1L << BITS)), false);
  }

  /// What this one does not hold.
  public Share rest() {
    return new Share(limit, !others);
  }

  public boolean holds(Bytes bytes) {
    return (hash(bytes) >>> (Long.SIZE - BITS) < limit) != others;
  }

  /// Whether it holds the text's bytes in UTF-8, which are those of
  /// [dev.millrace.api.serde.Serdes#string()].
  public boolean holds(String text) {
    return holds(Bytes.ofUtf8(text));
  }

  private static long hash(Bytes bytes) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < bytes.length(); i++) {
      hash = (hash ^ (bytes.get(i) & 0xFF)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
