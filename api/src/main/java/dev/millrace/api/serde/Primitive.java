package dev.millrace.api.serde;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// The primitive types, so that components of a record travel as 64 bits and are never boxed. The
/// bits are all zero exactly if the value is the type's zero (of floating point, only 0.0 and not
/// -0.0).
enum Primitive {
  BOOLEAN(boolean.class, TypeCode.BOOLEAN, NumberScalars.BOOLEAN),
  BYTE(byte.class, TypeCode.BYTE, NumberScalars.BYTE),
  SHORT(short.class, TypeCode.SHORT, NumberScalars.SHORT),
  CHAR(char.class, TypeCode.CHAR, NumberScalars.CHAR),
  INT(int.class, TypeCode.INT, NumberScalars.INT),
  LONG(long.class, TypeCode.LONG, NumberScalars.LONG),
  FLOAT(float.class, TypeCode.FLOAT, NumberScalars.FLOAT),
  DOUBLE(double.class, TypeCode.DOUBLE, NumberScalars.DOUBLE);

  final Class<?> type;
  final TypeCode code;

  /// The same type boxed.
  final Scalar<?> scalar;

  Primitive(Class<?> type, TypeCode code, Scalar<?> scalar) {
    this.type = type;
    this.code = code;
    this.scalar = scalar;
  }

  static Primitive of(Class<?> type) {
    for (Primitive primitive : values()) {
      if (primitive.type == type) {
        return primitive;
      }
    }
    throw new IllegalArgumentException(type + " is not the type of a component");
  }

  /// Writes a component that is not zero.
  void writeBody(long bits, BytesWriter out) {
    switch (this) {
      case BOOLEAN -> {} // that the component is present says all
      case BYTE -> out.writeByte((int) bits);
      case SHORT, INT, LONG -> NumberScalars.writeZigZag(bits, out);
      case CHAR -> out.writeVarLong(bits);
      case FLOAT, DOUBLE -> writeRaw(bits, out);
    }
  }

  long readBody(BytesReader in) {
    long bits =
        switch (this) {
          case BOOLEAN -> 1;
          case BYTE -> in.readByte();
          case SHORT -> NumberScalars.readZigZag(in, Short.MIN_VALUE, Short.MAX_VALUE, code);
          case CHAR -> NumberScalars.readChar(in);
          case INT -> NumberScalars.readZigZag(in, Integer.MIN_VALUE, Integer.MAX_VALUE, code);
          case LONG -> NumberScalars.readZigZag(in, Long.MIN_VALUE, Long.MAX_VALUE, code);
          case FLOAT, DOUBLE -> readRaw(in);
        };
    if (bits == 0) {
      throw new SerdeException("a zero stands where zeros are left out");
    }
    return bits;
  }

  /// Writes the ordered form, as [Scalar#writeRaw] does.
  void writeRaw(long bits, BytesWriter out) {
    switch (this) {
      case BOOLEAN -> out.writeByte((int) bits);
      case BYTE -> out.writeByte((int) bits ^ 0x80);
      case SHORT -> out.writeShort((int) bits ^ 0x8000);
      case CHAR -> out.writeShort((int) bits);
      case INT -> out.writeInt((int) bits ^ Integer.MIN_VALUE);
      case LONG -> out.writeLong(bits ^ Long.MIN_VALUE);
      case FLOAT -> out.writeInt(NumberScalars.orderedBits(Float.intBitsToFloat((int) bits)));
      case DOUBLE -> out.writeLong(NumberScalars.orderedBits(Double.longBitsToDouble(bits)));
    }
  }

  long readRaw(BytesReader in) {
    return switch (this) {
      case BOOLEAN -> NumberScalars.readBoolean(in) ? 1 : 0;
      case BYTE -> (byte) (in.readByte() ^ 0x80);
      case SHORT -> (short) (in.readShort() ^ 0x8000);
      case CHAR -> (char) in.readShort();
      case INT -> in.readInt() ^ Integer.MIN_VALUE;
      case LONG -> in.readLong() ^ Long.MIN_VALUE;
      case FLOAT -> Float.floatToIntBits(NumberScalars.fromOrderedBits(in.readInt()));
      case DOUBLE -> Double.doubleToLongBits(NumberScalars.fromOrderedBits(in.readLong()));
    };
  }

  /// Makes a handle that returns this type return bits.
  MethodHandle toBits(MethodHandle getter) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodHandle bits =
        switch (this) {
          case BOOLEAN, BYTE, SHORT, CHAR, INT, LONG -> getter;
          case FLOAT -> {
            MethodType type = MethodType.methodType(int.class, float.class);
            yield MethodHandles.filterReturnValue(
                getter, lookup.findStatic(Float.class, "floatToIntBits", type));
          }
          case DOUBLE -> {
            MethodType type = MethodType.methodType(long.class, double.class);
            yield MethodHandles.filterReturnValue(
                getter, lookup.findStatic(Double.class, "doubleToLongBits", type));
          }
        };
    return MethodHandles.explicitCastArguments(bits, bits.type().changeReturnType(long.class));
  }

  /// Makes a handle that returns bits return this type.
  MethodHandle fromBits(MethodHandle bits) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    return switch (this) {
      case BOOLEAN, BYTE, SHORT, CHAR, INT, LONG ->
          MethodHandles.explicitCastArguments(bits, bits.type().changeReturnType(type));
      case FLOAT -> {
        MethodType narrow = bits.type().changeReturnType(int.class);
        MethodType convert = MethodType.methodType(float.class, int.class);
        yield MethodHandles.filterReturnValue(
            MethodHandles.explicitCastArguments(bits, narrow),
            lookup.findStatic(Float.class, "intBitsToFloat", convert));
      }
      case DOUBLE -> {
        MethodType convert = MethodType.methodType(double.class, long.class);
        yield MethodHandles.filterReturnValue(
            bits, lookup.findStatic(Double.class, "longBitsToDouble", convert));
      }
    };
  }
}
