package dev.millrace.api.serde;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One component of a record: its tag in the table, and how it is written and read. Records, as the
/// JIT takes their fields for constants.
sealed interface CodecComponent {
  RecordShape.Part part();

  TypeCode code();

  /// What stands in the table.
  int tag();

  static int tag(String name, TypeCode code) {
    return Names.number(name, Names.COMPONENT_BITS) << TypeCode.BITS | code.number;
  }

  /// Returns the codec of a component that is no primitive; null if it is one.
  default @Nullable Codec<Object> codec() {
    return null;
  }

  /// Writes the body of a primitive and returns true, or returns false for zero and false.
  default boolean writeBits(long bits, BytesWriter out) {
    throw new AssertionError(part() + " is no primitive.");
  }

  /// Writes the body and returns true, or returns false for null.
  default boolean writeReference(@Nullable Object value, BytesWriter out) {
    throw new AssertionError(part() + " is a primitive.");
  }

  default String name() {
    return part().name();
  }

  default int number() {
    return tag() >> TypeCode.BITS;
  }

  /// Returns whether a number in the bytes is that of its name or of one that it had.
  default boolean hasNumber(int number) {
    return number() == number
        || part().formerNames().stream()
            .anyMatch(name -> Names.number(name, Names.COMPONENT_BITS) == number);
  }

  /// Returns whether a name of this component and one of another have the same number.
  default boolean sharesNumberWith(CodecComponent other) {
    return other.hasNumber(number())
        || part().formerNames().stream()
            .anyMatch(name -> other.hasNumber(Names.number(name, Names.COMPONENT_BITS)));
  }

  Schema.Type schema(Schema.Builder builder);

  /// See [Codec#immutable].
  boolean immutable(Set<Codec<?>> asked);

  void read(BytesReader in, RecordShape.Slots slots);

  /// Sets what a component has that was written as null, zero or false, unless that is what slots
  /// begin with.
  default void unset(RecordShape.Slots slots) {}

  /// Sets what a component has that the writer did not know.
  void missing(RecordShape.Slots slots);

  /// A component that was written as a narrower type.
  record Widened(CodecComponent target, Widening widening) implements CodecComponent {
    @Override
    public RecordShape.Part part() {
      return target.part();
    }

    @Override
    public TypeCode code() {
      return target.code();
    }

    @Override
    public int tag() {
      return target.tag();
    }

    @Override
    public Schema.Type schema(Schema.Builder builder) {
      return target.schema(builder);
    }

    @Override
    public boolean immutable(Set<Codec<?>> asked) {
      return target.immutable(asked);
    }

    @Override
    public void read(BytesReader in, RecordShape.Slots slots) {
      widening.read(in, part(), slots);
    }

    @Override
    public void unset(RecordShape.Slots slots) {
      widening.unset(part(), slots);
    }

    @Override
    public void missing(RecordShape.Slots slots) {
      target.missing(slots);
    }
  }

  record OfPrimitive(RecordShape.Part part, Primitive primitive, int tag)
      implements CodecComponent {
    OfPrimitive(RecordShape.Part part, Primitive primitive) {
      this(part, primitive, CodecComponent.tag(part.name(), primitive.code));
    }

    @Override
    public TypeCode code() {
      return primitive.code;
    }

    @Override
    public Schema.Type schema(Schema.Builder builder) {
      return new Schema.Plain(primitive.code.text);
    }

    @Override
    public boolean immutable(Set<Codec<?>> asked) {
      return true;
    }

    @Override
    public boolean writeBits(long bits, BytesWriter out) {
      if (bits == 0) {
        return false;
      }
      primitive.writeBody(bits, out);
      return true;
    }

    @Override
    public void read(BytesReader in, RecordShape.Slots slots) {
      slots.bits[part.slot()] = primitive.readBody(in);
    }

    @Override
    public void missing(RecordShape.Slots slots) {}
  }

  record OfReference(RecordShape.Part part, Codec<Object> codec, TypeCode code, int tag)
      implements CodecComponent {
    OfReference(RecordShape.Part part, Codec<Object> codec) {
      TypeCode code = codec.code().boxed();
      this(part, codec, code, CodecComponent.tag(part.name(), code));
    }

    @Override
    public boolean immutable(Set<Codec<?>> asked) {
      return codec.immutable(asked);
    }

    @Override
    public Schema.Type schema(Schema.Builder builder) {
      return codec.code() == code ? codec.schema(builder) : new Schema.Plain(code.text);
    }

    @Override
    public boolean writeReference(@Nullable Object value, BytesWriter out) {
      if (value == null) {
        return false;
      }
      codec.writeBody(value, out);
      return true;
    }

    @Override
    public void read(BytesReader in, RecordShape.Slots slots) {
      slots.references[part.slot()] = codec.readBody(in);
    }

    @Override
    public void missing(RecordShape.Slots slots) {
      slots.references[part.slot()] = codec.whenMissing();
    }
  }
}
