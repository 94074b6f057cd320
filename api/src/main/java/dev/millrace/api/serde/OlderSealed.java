package dev.millrace.api.serde;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Values of a sealed interface that are written for readers of an older schema, which lacks some
/// of its records; see [OlderFormat].
final class OlderSealed<T> extends ContentCodec<T> {
  private final SealedCodec<T> now;
  private final Map<Class<?>, Codec<Object>> known;

  /// @param known the codecs of the records that the older schema has
  OlderSealed(SealedCodec<T> now, Map<Class<?>, Codec<Object>> known) {
    super(TypeCode.SEALED);
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
  boolean immutable(Set<Codec<?>> asked) {
    return now.immutable(asked);
  }

  @Override
  void writeContent(T value, BytesWriter out) {
    Codec<Object> codec = known.get(value.getClass());
    if (codec == null) {
      throw OlderFormat.refused(
          "%s is not one of %s"
              .formatted(
                  value.getClass().getSimpleName(),
                  known.keySet().stream()
                      .map(Class::getSimpleName)
                      .collect(Collectors.joining(", "))));
    }
    SealedCodec.writeNumber(SealedCodec.number(value.getClass()), out);
    ((ContentCodec<Object>) codec).writeContent(value, out);
  }

  @Override
  T readContent(BytesReader in) {
    return now.readContent(in);
  }
}
