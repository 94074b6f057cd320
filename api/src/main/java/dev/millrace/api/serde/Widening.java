package dev.millrace.api.serde;

import org.jspecify.annotations.Nullable;

/// Reads a number that was written as a narrower type: `int` as `long`, `float` as `double`, and
/// what could not be null as what can be. No value is changed by it.
///
/// @param wasBoxed whether what was written may be null
/// @param isBoxed whether what is read may be null
record Widening(Primitive was, boolean wasBoxed, Primitive is, boolean isBoxed) {

  /// Returns how a component is read that was written as another type; null if it cannot be.
  static @Nullable Widening of(String written, String read) {
    Primitive was = primitive(written);
    Primitive is = primitive(read);
    if (was == null || is == null) {
      return null;
    }
    boolean wasBoxed = boxed(written);
    boolean isBoxed = boxed(read);
    boolean fits = was == is ? !wasBoxed && isBoxed : isWider(was, is) && (!wasBoxed || isBoxed);
    return fits ? new Widening(was, wasBoxed, is, isBoxed) : null;
  }

  private static boolean boxed(String type) {
    return type.endsWith("?");
  }

  private static @Nullable Primitive primitive(String type) {
    String name = boxed(type) ? type.substring(0, type.length() - 1) : type;
    for (Primitive each : Primitive.values()) {
      if (each.code.text.equals(name)) {
        return each;
      }
    }
    return null;
  }

  private static boolean isWider(Primitive was, Primitive is) {
    return switch (was) {
      case BYTE -> is == Primitive.SHORT || is == Primitive.INT || is == Primitive.LONG;
      case SHORT -> is == Primitive.INT || is == Primitive.LONG;
      case INT -> is == Primitive.LONG;
      case FLOAT -> is == Primitive.DOUBLE;
      case BOOLEAN, CHAR, LONG, DOUBLE -> false;
    };
  }

  /// Reads the body of a component that is there.
  void read(BytesReader in, RecordShape.Part part, RecordShape.Slots slots) {
    Object value = wasBoxed ? was.scalar.readBody(in) : ofBits(was, was.readBody(in));
    set(value, part, slots);
  }

  /// Sets what a component has that was written as zero, of which there is no body.
  void unset(RecordShape.Part part, RecordShape.Slots slots) {
    if (!wasBoxed && isBoxed) {
      set(ofBits(was, 0), part, slots);
    }
  }

  private void set(Object value, RecordShape.Part part, RecordShape.Slots slots) {
    if (isBoxed) {
      slots.references[part.slot()] = boxed(value);
    } else {
      slots.bits[part.slot()] = bits((Number) value);
    }
  }

  private Object boxed(Object value) {
    return converted(value, is);
  }

  /// Returns a value as one of another type, which may cut it off.
  private static Object converted(Object value, Primitive type) {
    return switch (type) {
      case BOOLEAN, CHAR -> value;
      case BYTE -> ((Number) value).byteValue();
      case SHORT -> ((Number) value).shortValue();
      case INT -> ((Number) value).intValue();
      case LONG -> ((Number) value).longValue();
      case FLOAT -> ((Number) value).floatValue();
      case DOUBLE -> ((Number) value).doubleValue();
    };
  }

  private long bits(Number value) {
    return is == Primitive.DOUBLE
        ? Double.doubleToLongBits(value.doubleValue())
        : value.longValue();
  }

  /// Returns a value as a narrower type.
  ///
  /// @throws SerdeException if it does not fit
  static Object narrowed(Object value, Primitive type) {
    Object narrow = converted(value, type);
    boolean fits =
        narrow instanceof Number number && value instanceof Number from
            ? Double.compare(number.doubleValue(), from.doubleValue()) == 0
                && number.longValue() == from.longValue()
            : narrow.equals(value);
    if (!fits) {
      throw OlderFormat.refused(value + " cannot be written as " + type.code.text);
    }
    return narrow;
  }

  /// Returns the bits of a value; see [Primitive].
  static long toBits(Object value) {
    return switch (value) {
      case Boolean flag -> flag ? 1 : 0;
      case Character character -> character;
      case Float number -> Float.floatToIntBits(number);
      case Double number -> Double.doubleToLongBits(number);
      case Number number -> number.longValue();
      default -> throw new AssertionError(value.getClass() + " is the box of no primitive.");
    };
  }

  static Object ofBits(Primitive type, long bits) {
    return switch (type) {
      case BOOLEAN -> bits != 0;
      case BYTE -> (byte) bits;
      case SHORT -> (short) bits;
      case CHAR -> (char) bits;
      case INT -> (int) bits;
      case LONG -> bits;
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case DOUBLE -> Double.longBitsToDouble(bits);
    };
  }
}
