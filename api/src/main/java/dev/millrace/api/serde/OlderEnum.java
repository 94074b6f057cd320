package dev.millrace.api.serde;

import java.util.List;
import java.util.Set;

/// Constants of an enum that are written for readers of an older schema, which lacks some.
final class OlderEnum<E extends Enum<E>> extends Scalar<E> {
  private final EnumScalar<E> now;
  private final Set<String> known;

  OlderEnum(EnumScalar<E> now, Set<String> known) {
    super(TypeCode.ENUM, now.fixedBytes());
    this.now = now;
    this.known = known;
  }

  @Override
  String id() {
    return now.id();
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return now.schema(builder);
  }

  @Override
  Schema.Type rawSchema(Schema.Builder builder) {
    return now.rawSchema(builder);
  }

  @Override
  void writeRaw(E value, BytesWriter out) {
    now.writeRaw(checked(value), out);
  }

  @Override
  E readRaw(BytesReader in) {
    return now.readRaw(in);
  }

  @Override
  void writeBody(E value, BytesWriter out) {
    now.writeBody(checked(value), out);
  }

  @Override
  E readBody(BytesReader in) {
    return now.readBody(in);
  }

  private E checked(E value) {
    if (!known.contains(value.name())) {
      throw OlderFormat.refused(
          "the constant %s is not one of %s".formatted(value, List.copyOf(known)));
    }
    return value;
  }
}
