package dev.millrace.api.serde;

import java.nio.charset.StandardCharsets;

/// Short numbers that stand for names of components, constants and classes in the bytes.
///
/// The number depends on nothing but the name, so it stays the same whatever is added, removed or
/// moved around it, and nobody has to hand out numbers. Two names of one type may get the same
/// number (18 bits: once in some 5,800 records of ten components); that is found when the type is
/// planned and refused.
final class Names {
  /// Bits of the number of a component.
  static final int COMPONENT_BITS = 18;

  /// Bits of the number of an enum constant: three bytes as a number of variable length.
  static final int CONSTANT_BITS = 21;

  /// Bits of the number of a record among those of a sealed interface.
  static final int CLASS_BITS = 24;

  private Names() {}

  /// FNV-1a over the UTF-8 bytes in 64 bits, then the mixing step of MurmurHash3, of which the
  /// highest bits are taken. This can never change: the numbers are in the data.
  static int number(String name, int bits) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ b & 0xFF) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    hash ^= hash >>> 33;
    return (int) (hash >>> 64 - bits);
  }
}
