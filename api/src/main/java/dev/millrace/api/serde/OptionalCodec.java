package dev.millrace.api.serde;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Optional values: nothing if empty, else the code, the shared part and the value.
final class OptionalCodec<E> extends ContentCodec<Optional<E>> {
  private final Codec<E> element;

  OptionalCodec(Codec<E> element) {
    super(TypeCode.OPTIONAL);
    this.element = element;
  }

  Codec<E> element() {
    return element;
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
  boolean immutable(Set<Codec<?>> asked) {
    return element.immutable(asked);
  }

  @Override
  boolean canonical() {
    return element.canonical();
  }

  @Override
  Optional<E> whenMissing() {
    return Optional.empty();
  }

  @Override
  void writeContent(Optional<E> value, BytesWriter out) {
    if (value.isPresent()) {
      out.writeByte(element.code().number);
      element.writeShared(out);
      element.writeElement(value.get(), out);
    }
  }

  @Override
  Optional<E> readContent(BytesReader in) {
    if (in.remaining() == 0) {
      return Optional.empty();
    }
    expectCode(element, "optional values", in);
    return Optional.of(element.readShared(in).read(in));
  }
}
