package dev.millrace.api.serde;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Sets: like a list, in the order of the elements' bytes. Elements that differed only in what a
/// later version removed become one.
final class SetCodec<E> extends ContentCodec<Set<E>> {
  private final Codec<E> element;

  SetCodec(Codec<E> element) {
    super(TypeCode.SET);
    this.element = element;
  }

  Codec<E> element() {
    return element;
  }

  @Override
  String id() {
    return "set<" + element.id() + ">";
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return new Schema.Container("set", List.of(element.schema(builder)));
  }

  @Override
  boolean canonical() {
    return element.canonical();
  }

  @Override
  Set<E> whenMissing() {
    return Collections.emptySet();
  }

  @Override
  void writeContent(Set<E> value, BytesWriter out) {
    int size = value.size();
    if (size == 0) {
      return;
    }
    out.writeByte(element.code().number);
    element.writeShared(out);
    out.writeVarInt(size);
    SortedEntries entries = new SortedEntries(out, size);
    for (E member : value) {
      if (member == null) {
        throw new SerdeException("an element of a set is null");
      }
      entries.start();
      element.writeElement(member, out);
      entries.keyEnd();
    }
    entries.finish();
  }

  @Override
  Set<E> readContent(BytesReader in) {
    if (in.remaining() == 0) {
      return Collections.emptySet();
    }
    expectCode(element, "elements", in);
    Codec.Elements<E> elements = element.readShared(in);
    int count = ListCodec.readCount(in);
    Set<E> members = LinkedHashSet.newLinkedHashSet(count);
    SortedEntries.Check check = new SortedEntries.Check(in);
    for (int i = 0; i < count; i++) {
      int from = in.index();
      E member = elements.read(in);
      check.key(from);
      members.add(member);
    }
    return Collections.unmodifiableSet(members);
  }
}
