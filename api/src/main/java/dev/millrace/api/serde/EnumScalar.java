package dev.millrace.api.serde;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Constants of an enum. Raw, the ordinal in 2 bytes, which sorts like the enum and so allows new
/// constants at the end only. As a body the number of the name, which allows them anywhere.
@SuppressWarnings("EnumOrdinal") // the position is what is written
final class EnumScalar<E extends Enum<E>> extends Scalar<E> {
  private final Class<E> type;
  private final E[] constants;
  private final int[] numbers;
  private final Map<Integer, E> byNumber = new HashMap<>();

  EnumScalar(Class<E> type) {
    super(TypeCode.ENUM, 2);
    this.type = type;
    constants = Objects.requireNonNull(type.getEnumConstants());
    numbers = new int[constants.length];
    for (E constant : constants) {
      int number = Names.number(constant.name(), Names.CONSTANT_BITS);
      E other = byNumber.put(number, constant);
      if (other != null) {
        throw new IllegalArgumentException(
            "The constants %s and %s of %s get the same number in the bytes; rename one of them"
                .formatted(other, constant, type.getName()));
      }
      numbers[constant.ordinal()] = number;
    }
  }

  @Override
  String id() {
    return "enum:" + type.getName();
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return new Schema.Constants(false, names());
  }

  @Override
  Schema.Type rawSchema(Schema.Builder builder) {
    return new Schema.Constants(true, names());
  }

  private List<String> names() {
    return Arrays.stream(constants).map(Enum::name).toList();
  }

  @Override
  void writeRaw(E value, BytesWriter out) {
    out.writeShort(value.ordinal());
  }

  @Override
  E readRaw(BytesReader in) {
    int ordinal = in.readShort() & 0xFFFF;
    if (ordinal >= constants.length) {
      throw new SerdeException(
          "%s has %d constants, found number %d"
              .formatted(type.getSimpleName(), constants.length, ordinal));
    }
    return constants[ordinal];
  }

  @Override
  void writeBody(E value, BytesWriter out) {
    out.writeVarInt(numbers[value.ordinal()]);
  }

  @Override
  E readBody(BytesReader in) {
    int number = in.readVarInt();
    E constant = byNumber.get(number);
    if (constant == null) {
      throw new SerdeException(
          "no constant of %s has the number %d found; known are %s"
              .formatted(type.getSimpleName(), number, names()));
    }
    return constant;
  }
}
