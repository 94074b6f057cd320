package dev.millrace.api.serde;

import org.jspecify.annotations.Nullable;

/// How one component is written for readers of an older schema. Records, as the JIT takes their
/// fields for constants.
sealed interface OlderComponent {
  RecordShape.Part part();

  /// What stands in the table.
  int tag();

  /// Writes the body of a primitive and returns true, or returns false for zero and false.
  default boolean writeBits(long bits, BytesWriter out) {
    throw new AssertionError(part() + " is no primitive.");
  }

  /// Writes the body and returns true, or returns false for null.
  default boolean writeReference(@Nullable Object value, BytesWriter out) {
    throw new AssertionError(part() + " is a primitive.");
  }

  /// Returns a component that was a narrower type.
  static OlderComponent narrowed(RecordShape.Part part, String name, Widening widening) {
    TypeCode was = widening.was().code;
    int tag = CodecComponent.tag(name, widening.wasBoxed() ? was.boxed() : was);
    return widening.isBoxed()
        ? new NarrowedBox(part, widening.was(), widening.wasBoxed(), tag)
        : new NarrowedBits(part, widening.is(), widening.was(), tag);
  }

  /// One that is written as now, perhaps under its older name.
  record Same(CodecComponent now, int tag) implements OlderComponent {
    @Override
    public RecordShape.Part part() {
      return now.part();
    }

    @Override
    public boolean writeBits(long bits, BytesWriter out) {
      return now.writeBits(bits, out);
    }

    @Override
    public boolean writeReference(@Nullable Object value, BytesWriter out) {
      return now.writeReference(value, out);
    }
  }

  /// One whose parts are written as older ones.
  record Reference(RecordShape.Part part, Codec<Object> codec, int tag) implements OlderComponent {
    @Override
    public boolean writeReference(@Nullable Object value, BytesWriter out) {
      if (value == null) {
        return false;
      }
      codec.writeBody(value, out);
      return true;
    }
  }

  /// A primitive that was a narrower one.
  record NarrowedBits(RecordShape.Part part, Primitive is, Primitive was, int tag)
      implements OlderComponent {
    @Override
    public boolean writeBits(long bits, BytesWriter out) {
      return writeNarrow(Widening.ofBits(is, bits), was, out);
    }
  }

  /// A box that was a primitive or the box of a narrower one.
  record NarrowedBox(RecordShape.Part part, Primitive was, boolean wasBoxed, int tag)
      implements OlderComponent {
    @Override
    public boolean writeReference(@Nullable Object value, BytesWriter out) {
      if (value != null) {
        return wasBoxed ? writeBox(value, out) : writeNarrow(value, was, out);
      }
      if (!wasBoxed) {
        throw OlderFormat.refused("null cannot be written as " + was.code.text);
      }
      return false;
    }

    @SuppressWarnings("unchecked") // the value was narrowed to what the scalar is of
    private boolean writeBox(Object value, BytesWriter out) {
      ((Scalar<Object>) was.scalar).writeBody(Widening.narrowed(value, was), out);
      return true;
    }
  }

  private static boolean writeNarrow(Object value, Primitive was, BytesWriter out) {
    long bits = Widening.toBits(Widening.narrowed(value, was));
    if (bits == 0) {
      return false;
    }
    was.writeBody(bits, out);
    return true;
  }
}
