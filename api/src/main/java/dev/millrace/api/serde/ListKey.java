package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A list in a key: each element after a byte 1, then a byte 0; so lists are in the order of their
/// first elements that differ, a list before those that go on where it ends.
final class ListKey<E> extends KeyCodec<List<E>> {
  private final KeyCodec<E> element;

  ListKey(KeyCodec<E> element) {
    this.element = element;
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
  void write(List<E> value, BytesWriter out) {
    for (E member : value) {
      if (member == null) {
        throw new SerdeException("an element of a list in a key is null");
      }
      out.writeByte(1);
      element.write(member, out);
    }
    out.writeByte(0);
  }

  @Override
  List<E> read(BytesReader in) {
    List<E> members = new ArrayList<>();
    while (NumberScalars.readBoolean(in)) {
      members.add(element.read(in));
    }
    return Collections.unmodifiableList(members);
  }
}
