package dev.millrace.api.serde;

/// What stands in the bytes for a type. The number says at the same time how a field is skipped by
/// a reader that does not know it, so later versions can add types without breaking earlier
/// readers.
///
/// A number is never given to another type. 0 is none, so that zeros are not taken for data.
enum TypeCode {
  STRING(1, "string"),
  BYTES(2, "bytes"),
  BIG_INTEGER(3, "bigInteger"),
  BIG_DECIMAL(4, "bigDecimal"),
  INSTANT(5, "instant"),
  DURATION(6, "duration"),
  RECORD(7, "record"),
  SEALED(8, "sealed"),
  OPTIONAL(9, "optional"),
  LIST(10, "list"),
  SET(11, "set"),
  MAP(12, "map"),
  OTHER(13, "other"),

  BOOLEAN(32, "boolean"),

  BOXED_BOOLEAN(34, "boolean?"),
  BYTE(35, "byte"),
  BOXED_BYTE(36, "byte?"),

  SHORT(40, "short"),
  BOXED_SHORT(41, "short?"),
  CHAR(42, "char"),
  BOXED_CHAR(43, "char?"),
  INT(44, "int"),
  BOXED_INT(45, "int?"),
  LONG(46, "long"),
  BOXED_LONG(47, "long?"),
  ENUM(48, "enum"),
  LOCAL_DATE(49, "localDate"),

  FLOAT(52, "float"),
  BOXED_FLOAT(53, "float?"),

  DOUBLE(56, "double"),
  BOXED_DOUBLE(57, "double?"),
  LOCAL_TIME(58, "localTime"),

  UUID(60, "uuid"),
  LOCAL_DATE_TIME(61, "localDateTime");

  /// Codes have so many bits.
  static final int BITS = 6;

  private static final TypeCode[] BY_NUMBER = new TypeCode[1 << BITS];

  static {
    for (TypeCode code : values()) {
      BY_NUMBER[code.number] = code;
    }
  }

  final int number;
  final String text;

  TypeCode(int number, String text) {
    this.number = number;
    this.text = text;
  }

  /// The text of a number, also of one that a later version may have added.
  static String textOf(int number) {
    TypeCode code = number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    return code == null ? "type " + number : code.text;
  }

  /// Whether a number is outside of what any version may use.
  static boolean invalid(int number) {
    return number <= 0 || number >= 1 << BITS;
  }

  /// Moves past a field of the type with this number, known or not.
  static void skip(int number, BytesReader in) {
    if (number < 32) {
      in.skip(in.readLength());
    } else if (number < 34) {
      // Nothing follows: that the field is present says all.
    } else if (number < 40) {
      in.skip(1);
    } else if (number < 52) {
      in.readVarLong();
    } else if (number < 56) {
      in.skip(4);
    } else if (number < 60) {
      in.skip(8);
    } else {
      in.skip(16);
    }
  }

  /// The code of a component that may be null, of a type that otherwise is a primitive.
  TypeCode boxed() {
    return switch (this) {
      case BOOLEAN -> BOXED_BOOLEAN;
      case BYTE -> BOXED_BYTE;
      case SHORT -> BOXED_SHORT;
      case CHAR -> BOXED_CHAR;
      case INT -> BOXED_INT;
      case LONG -> BOXED_LONG;
      case FLOAT -> BOXED_FLOAT;
      case DOUBLE -> BOXED_DOUBLE;
      default -> this;
    };
  }
}
