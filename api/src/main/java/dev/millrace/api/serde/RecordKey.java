package dev.millrace.api.serde;

/// A record in a key: its components one after the other and nothing else. So keys sort by the
/// first component, then the second, and those that begin with equal components share the first
/// bytes.
final class RecordKey<R> extends KeyCodec<R> {
  private final String id;
  private final RecordShape shape;
  private final RecordShape.Part[] parts;
  private final KeyCodec<Object>[] codecs;

  /// @param codecs of the components, in their order
  @SuppressWarnings("unchecked") // each codec was made for its component's type
  RecordKey(String id, RecordShape shape, KeyCodec<?>[] codecs) {
    this.id = id;
    this.shape = shape;
    this.codecs = (KeyCodec<Object>[]) codecs;
    parts = shape.parts();
  }

  @Override
  String id() {
    return id;
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return builder.structure(
        this,
        shape.type().getSimpleName(),
        types -> {
          for (int i = 0; i < parts.length; i++) {
            types.put(parts[i].name(), codecs[i].schema(builder));
          }
        });
  }

  @Override
  void write(R value, BytesWriter out) {
    for (int i = 0; i < parts.length; i++) {
      RecordShape.Part part = parts[i];
      Primitive primitive = part.primitive();
      if (primitive != null) {
        primitive.writeRaw(part.bits().applyAsLong(value), out);
      } else {
        Object component = part.reference().apply(value);
        if (component == null) {
          throw new SerdeException(
              "component %s of the key %s is null; make it an Optional if it may be missing"
                  .formatted(part.name(), shape.type().getSimpleName()));
        }
        codecs[i].write(component, out);
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the constructor is that of R
  R read(BytesReader in) {
    RecordShape.Slots slots = shape.slots();
    for (int i = 0; i < parts.length; i++) {
      RecordShape.Part part = parts[i];
      Primitive primitive = part.primitive();
      if (primitive != null) {
        slots.bits[part.slot()] = primitive.readRaw(in);
      } else {
        slots.references[part.slot()] = codecs[i].read(in);
      }
    }
    return (R) shape.construct(slots);
  }
}
