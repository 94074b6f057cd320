package dev.millrace.api.serde;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Records that are written for readers of an older schema; see [OlderFormat]. They are read as
/// [RecordCodec] reads them, which understands its own and every older table.
final class OlderRecordCodec<R> extends ContentCodec<R> implements Unrolled.Body<OlderComponent> {
  private final RecordCodec<R> now;
  private byte[] table = {};
  private int components;
  private @Nullable Unrolled fields;

  /// [#link] must follow: a record may contain itself.
  OlderRecordCodec(RecordCodec<R> now) {
    super(TypeCode.RECORD);
    this.now = now;
  }

  /// @param parts in the order of the record's components
  void link(List<OlderComponent> parts) {
    components = parts.size();
    BytesWriter bytes = new BytesWriter();
    bytes.writeByte(components);
    for (OlderComponent part : parts) {
      bytes.writeByte(part.tag() >> 16);
      bytes.writeShort(part.tag());
    }
    table = bytes.toByteArray();
    fields = Unroller.unroll(this, OlderComponent.class, parts, now.shape());
  }

  @Override
  String id() {
    return now.id();
  }

  /// That of the record as it is now: what is older is known to the serde.
  @Override
  Schema.Type schema(Schema.Builder builder) {
    return now.schema(builder);
  }

  @Override
  boolean immutable(Set<Codec<?>> asked) {
    return now.immutable(asked);
  }

  @Override
  boolean canonical() {
    return now.canonical();
  }

  @Override
  void writeContent(R value, BytesWriter out) {
    out.write(table);
    writeElement(value, out);
  }

  @Override
  void writeShared(BytesWriter out) {
    out.write(table);
  }

  @Override
  void writeElement(R value, BytesWriter out) {
    int bitmap = out.reserve(RecordCodec.bitmapBytes(components));
    if (components == 0) {
      out.array()[bitmap] = 0;
    }
    Objects.requireNonNull(fields, now.id()).write(value, bitmap, out);
  }

  @Override
  R readContent(BytesReader in) {
    return now.readContent(in);
  }

  @Override
  Elements<R> readShared(BytesReader in) {
    return now.readShared(in);
  }

  @Override
  public boolean writeBits(OlderComponent component, long value, BytesWriter out) {
    try {
      return component.writeBits(value, out);
    } catch (SerdeException e) {
      throw now.at(component.part(), e);
    }
  }

  @Override
  public boolean writeReference(OlderComponent component, @Nullable Object value, BytesWriter out) {
    try {
      return component.writeReference(value, out);
    } catch (SerdeException e) {
      throw now.at(component.part(), e);
    }
  }

  @Override
  public void wrote(int group, int bits, int bitmap, BytesWriter out) {
    out.array()[bitmap + group] = (byte) bits;
  }

  @Override
  public void read(
      OlderComponent component, int index, int bitmap, BytesReader in, RecordShape.Slots slots) {
    throw new AssertionError(now.id() + " is read by its codec.");
  }
}
