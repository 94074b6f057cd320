package dev.millrace.api.serde;

import org.jspecify.annotations.Nullable;

/// The loops over the parts of a record, unrolled for one record class by [Unroller]. The parts are
/// constants there, so that the JIT sees the getter, the type and the codec of each; in a loop it
/// would see all that any record has. The getters are called there, so that they are constants even
/// where the JIT does not inline the rest.
abstract class Unrolled {

  /// Calls [Body#writeBits] or [Body#writeReference] for each part, and [Body#wrote] behind each
  /// eighth and the last.
  ///
  /// @param mark for the body
  abstract void write(Object value, int mark, BytesWriter out);

  /// Calls [Body#read] for each part, and makes a record of what was read.
  ///
  /// @param mark for the body
  abstract Object read(int mark, BytesReader in);

  /// What is done with a part: the same for all, so that it is written once.
  ///
  /// @param <P> a part
  interface Body<P> {

    /// Writes a part that is a primitive.
    ///
    /// @param value as bits; see [Primitive]
    /// @return the bit of it
    boolean writeBits(P part, long value, BytesWriter out);

    /// Writes a part that is none.
    ///
    /// @return the bit of it
    boolean writeReference(P part, @Nullable Object value, BytesWriter out);

    /// Takes the bits of eight parts, or of as many as are left.
    ///
    /// @param group counted from 0
    /// @param bits the lowest is that of the first part
    void wrote(int group, int bits, int mark, BytesWriter out);

    /// Reads a part.
    void read(P part, int index, int mark, BytesReader in, RecordShape.Slots slots);
  }
}
