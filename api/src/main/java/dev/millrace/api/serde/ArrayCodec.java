package dev.millrace.api.serde;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;

/// Arrays of references, in the bytes the same as a list.
final class ArrayCodec<E> extends ContentCodec<E[]> {
  private final Class<E> type;
  private final Codec<E> element;

  ArrayCodec(Class<E> type, Codec<E> element) {
    super(TypeCode.LIST);
    this.type = type;
    this.element = element;
  }

  Class<E> type() {
    return type;
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
  void writeContent(E[] value, BytesWriter out) {
    ListCodec.writeAll(Arrays.asList(value), value.length, element, out);
  }

  @Override
  @SuppressWarnings("unchecked") // an array of the class itself
  E[] readContent(BytesReader in) {
    List<E> elements = ListCodec.readAll(element, in);
    return elements.toArray((E[]) Array.newInstance(type, elements.size()));
  }
}
