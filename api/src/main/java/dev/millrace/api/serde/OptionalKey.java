package dev.millrace.api.serde;

import java.util.List;
import java.util.Optional;

/// An optional value in a key: 0, or 1 and the value; so empty comes first.
final class OptionalKey<E> extends KeyCodec<Optional<E>> {
  private final KeyCodec<E> element;

  OptionalKey(KeyCodec<E> element) {
    this.element = element;
  }

  @Override
  String id() {
    return "optional<" + element.id() + ">";
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return new Schema.Container("optional", List.of(element.schema(builder)));
  }

  @Override
  void write(Optional<E> value, BytesWriter out) {
    out.writeByte(value.isPresent() ? 1 : 0);
    if (value.isPresent()) {
      element.write(value.get(), out);
    }
  }

  @Override
  Optional<E> read(BytesReader in) {
    return NumberScalars.readBoolean(in) ? Optional.of(element.read(in)) : Optional.empty();
  }
}
