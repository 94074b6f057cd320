package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.List;

/// A record in a key: its components one after the other and nothing else. So keys sort by the
/// first component, then the second, and those that begin with equal components share the first
/// bytes.
final class RecordKey<R> extends KeyCodec<R> implements Unrolled.Body<RecordKey.Component> {
  private final String id;
  private final RecordShape shape;
  private final List<Component> components;
  private final Unrolled all;

  /// One component: records, as the JIT takes their fields for constants.
  ///
  /// @param codec not for primitives
  record Component(RecordShape.Part part, KeyCodec<Object> codec) {}

  /// @param codecs of the components, in their order
  @SuppressWarnings("unchecked") // each codec was made for its component's type
  RecordKey(String id, RecordShape shape, KeyCodec<?>[] codecs) {
    this.id = id;
    this.shape = shape;
    List<Component> made = new ArrayList<>();
    for (int i = 0; i < codecs.length; i++) {
      made.add(new Component(shape.parts()[i], (KeyCodec<Object>) codecs[i]));
    }
    components = List.copyOf(made);
    all = Unroller.unroll(this, Component.class, components, shape.maker());
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
          for (Component component : components) {
            types.put(component.part.name(), component.codec.schema(builder));
          }
        });
  }

  @Override
  void write(R value, BytesWriter out) {
    all.write(value, 0, out);
  }

  @Override
  public boolean write(Component component, Object value, BytesWriter out) {
    RecordShape.Part part = component.part;
    Primitive primitive = part.primitive();
    if (primitive != null) {
      primitive.writeRaw(part.bits().applyAsLong(value), out);
    } else {
      Object present = part.reference().apply(value);
      if (present == null) {
        throw new SerdeException(
            "component %s of the key %s is null; make it an Optional if it may be missing"
                .formatted(part.name(), shape.type().getSimpleName()));
      }
      component.codec.write(present, out);
    }
    return true;
  }

  /// All components are there, and nothing says so.
  @Override
  public void wrote(int group, int bits, int mark, BytesWriter out) {}

  @Override
  @SuppressWarnings("unchecked") // the constructor is that of R
  R read(BytesReader in) {
    return (R) all.read(0, in);
  }

  @Override
  public void read(
      Component component, int index, int mark, BytesReader in, RecordShape.Slots slots) {
    RecordShape.Part part = component.part;
    Primitive primitive = part.primitive();
    if (primitive != null) {
      slots.bits[part.slot()] = primitive.readRaw(in);
    } else {
      slots.references[part.slot()] = component.codec.read(in);
    }
  }
}
