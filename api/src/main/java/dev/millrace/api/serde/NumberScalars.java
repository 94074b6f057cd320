package dev.millrace.api.serde;

/// Primitives and their boxes.
///
/// Raw, integers are big-endian with the sign bit flipped, so that negative ones come first.
/// Floating point has all bits of negative numbers flipped and the sign bit of the others, which
/// gives the order of [Double#compare]: -0.0 before 0.0, NaN last, every NaN the same.
final class NumberScalars {
  static final Scalar<Boolean> BOOLEAN = new BooleanScalar();
  static final Scalar<Byte> BYTE = new ByteScalar();
  static final Scalar<Short> SHORT = new ShortScalar();
  static final Scalar<Character> CHAR = new CharScalar();
  static final Scalar<Integer> INT = new IntScalar();
  static final Scalar<Long> LONG = new LongScalar();
  static final Scalar<Float> FLOAT = new FloatScalar();
  static final Scalar<Double> DOUBLE = new DoubleScalar();

  private NumberScalars() {}

  /// Numbers near zero take few bytes, also negative ones.
  static void writeZigZag(long value, BytesWriter out) {
    out.writeVarLong(value << 1 ^ value >> 63);
  }

  static long readZigZag(BytesReader in, long least, long greatest, TypeCode code) {
    long coded = in.readVarLong();
    long value = coded >>> 1 ^ -(coded & 1);
    if (value < least || value > greatest) {
      throw new SerdeException("expected a " + code.text + ", found " + value);
    }
    return value;
  }

  static int readChar(BytesReader in) {
    long value = in.readVarLong();
    if (value < 0 || value > Character.MAX_VALUE) {
      throw new SerdeException("expected a char, found " + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  static boolean readBoolean(BytesReader in) {
    int value = in.readUnsignedByte();
    if (value > 1) {
      throw new SerdeException("expected 0 or 1 for a boolean, found " + value);
    }
    return value == 1;
  }

  static long orderedBits(double value) {
    long bits = Double.doubleToLongBits(value);
    return bits ^ (bits >> 63 | Long.MIN_VALUE);
  }

  static double fromOrderedBits(long ordered) {
    return Double.longBitsToDouble(ordered ^ (~ordered >> 63 | Long.MIN_VALUE));
  }

  static int orderedBits(float value) {
    int bits = Float.floatToIntBits(value);
    return bits ^ (bits >> 31 | Integer.MIN_VALUE);
  }

  static float fromOrderedBits(int ordered) {
    return Float.intBitsToFloat(ordered ^ (~ordered >> 31 | Integer.MIN_VALUE));
  }

  private static final class BooleanScalar extends Scalar<Boolean> {
    BooleanScalar() {
      super(TypeCode.BOOLEAN, 1);
    }

    @Override
    void writeRaw(Boolean value, BytesWriter out) {
      out.writeByte(value ? 1 : 0);
    }

    @Override
    Boolean readRaw(BytesReader in) {
      return readBoolean(in);
    }
  }

  private static final class ByteScalar extends Scalar<Byte> {
    ByteScalar() {
      super(TypeCode.BYTE, 1);
    }

    @Override
    void writeRaw(Byte value, BytesWriter out) {
      out.writeByte(value ^ 0x80);
    }

    @Override
    Byte readRaw(BytesReader in) {
      return (byte) (in.readByte() ^ 0x80);
    }

    @Override
    void writeBody(Byte value, BytesWriter out) {
      out.writeByte(value);
    }

    @Override
    Byte readBody(BytesReader in) {
      return in.readByte();
    }
  }

  private static final class ShortScalar extends Scalar<Short> {
    ShortScalar() {
      super(TypeCode.SHORT, 2);
    }

    @Override
    void writeRaw(Short value, BytesWriter out) {
      out.writeShort(value ^ 0x8000);
    }

    @Override
    Short readRaw(BytesReader in) {
      return (short) (in.readShort() ^ 0x8000);
    }

    @Override
    void writeBody(Short value, BytesWriter out) {
      writeZigZag(value, out);
    }

    @Override
    Short readBody(BytesReader in) {
      return (short) readZigZag(in, Short.MIN_VALUE, Short.MAX_VALUE, code());
    }
  }

  private static final class CharScalar extends Scalar<Character> {
    CharScalar() {
      super(TypeCode.CHAR, 2);
    }

    @Override
    void writeRaw(Character value, BytesWriter out) {
      out.writeShort(value);
    }

    @Override
    Character readRaw(BytesReader in) {
      return (char) in.readShort();
    }

    @Override
    void writeBody(Character value, BytesWriter out) {
      out.writeVarInt(value);
    }

    @Override
    Character readBody(BytesReader in) {
      return (char) readChar(in);
    }
  }

  private static final class IntScalar extends Scalar<Integer> {
    IntScalar() {
      super(TypeCode.INT, 4);
    }

    @Override
    void writeRaw(Integer value, BytesWriter out) {
      out.writeInt(value ^ Integer.MIN_VALUE);
    }

    @Override
    Integer readRaw(BytesReader in) {
      return in.readInt() ^ Integer.MIN_VALUE;
    }

    @Override
    void writeBody(Integer value, BytesWriter out) {
      writeZigZag(value, out);
    }

    @Override
    Integer readBody(BytesReader in) {
      return (int) readZigZag(in, Integer.MIN_VALUE, Integer.MAX_VALUE, code());
    }
  }

  private static final class LongScalar extends Scalar<Long> {
    LongScalar() {
      super(TypeCode.LONG, 8);
    }

    @Override
    void writeRaw(Long value, BytesWriter out) {
      out.writeLong(value ^ Long.MIN_VALUE);
    }

    @Override
    Long readRaw(BytesReader in) {
      return in.readLong() ^ Long.MIN_VALUE;
    }

    @Override
    void writeBody(Long value, BytesWriter out) {
      writeZigZag(value, out);
    }

    @Override
    Long readBody(BytesReader in) {
      return readZigZag(in, Long.MIN_VALUE, Long.MAX_VALUE, code());
    }
  }

  private static final class FloatScalar extends Scalar<Float> {
    FloatScalar() {
      super(TypeCode.FLOAT, 4);
    }

    @Override
    void writeRaw(Float value, BytesWriter out) {
      out.writeInt(orderedBits(value));
    }

    @Override
    Float readRaw(BytesReader in) {
      return fromOrderedBits(in.readInt());
    }
  }

  private static final class DoubleScalar extends Scalar<Double> {
    DoubleScalar() {
      super(TypeCode.DOUBLE, 8);
    }

    @Override
    void writeRaw(Double value, BytesWriter out) {
      out.writeLong(orderedBits(value));
    }

    @Override
    Double readRaw(BytesReader in) {
      return fromOrderedBits(in.readLong());
    }
  }
}
