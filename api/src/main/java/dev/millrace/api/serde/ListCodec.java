package dev.millrace.api.serde;

import java.util.List;

/// Lists: nothing if empty, else the element's code and shared part, the count, the elements.
final class ListCodec<E> extends ContentCodec<List<E>> {
  private final Codec<E> element;

  ListCodec(Codec<E> element) {
    super(TypeCode.LIST);
    this.element = element;
  }

  Codec<E> element() {
    return element;
  }

  @Override
  String id() {
    return "list<" + element.id() + ">";
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return new Schema.Container("list", List.of(element.schema(builder)));
  }

  @Override
  boolean canonical() {
    return element.canonical();
  }

  @Override
  List<E> whenMissing() {
    return List.of();
  }

  @Override
  void writeContent(List<E> value, BytesWriter out) {
    writeAll(value, value.size(), element, out);
  }

  @Override
  List<E> readContent(BytesReader in) {
    return readAll(element, in);
  }

  static <E> void writeAll(Iterable<E> values, int size, Codec<E> element, BytesWriter out) {
    if (size == 0) {
      return;
    }
    out.writeByte(element.code().number);
    element.writeShared(out);
    out.writeVarInt(size);
    int written = 0;
    for (E value : values) {
      if (value == null) {
        throw new SerdeException("element " + written + " is null, which a list cannot hold");
      }
      element.writeElement(value, out);
      written++;
    }
    if (written != size) {
      throw new SerdeException("a list of " + size + " elements gave " + written);
    }
  }

  @SuppressWarnings("unchecked") // the array is filled with what the element's codec reads
  static <E> List<E> readAll(Codec<E> element, BytesReader in) {
    if (in.remaining() == 0) {
      return List.of();
    }
    expectCode(element, "elements", in);
    Codec.Elements<E> elements = element.readShared(in);
    Object[] values = new Object[readCount(in)];
    for (int i = 0; i < values.length; i++) {
      values[i] = elements.read(in);
    }
    return (List<E>) List.of(values);
  }

  /// A count that is not 0, which is written as nothing at all.
  static int readCount(BytesReader in) {
    int count = in.readCount();
    if (count == 0) {
      throw new SerdeException("a count of 0 elements is written as no bytes");
    }
    return count;
  }
}
