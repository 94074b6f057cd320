package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    all = Unroller.unroll(this, Component.class, components, shape);
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
  public boolean writeBits(Component component, long value, BytesWriter out) {
    Objects.requireNonNull(component.part.primitive()).writeRaw(value, out);
    return true;
  }

  @Override
  public boolean writeReference(Component component, @Nullable Object value, BytesWriter out) {
    if (value == null) {
      throw new SerdeException(
          "component %s of the key %s is null; make it an Optional if it may be missing"
              .formatted(component.part.name(), shape.type().getSimpleName()));
    }
    component.codec.write(value, out);
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
