package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Values of a sealed interface: three bytes with the number of the record's simple name, then the
/// record. So records may be added to the interface, and moved, but not renamed.
final class SealedCodec<T> extends ContentCodec<T> {
  private final Class<?> type;
  private final Map<Class<?>, Option> byClass = new LinkedHashMap<>();
  private final Map<Integer, Option> byNumber = new HashMap<>();

  /// [#add] must follow: a record may contain the interface.
  SealedCodec(Class<?> type) {
    super(TypeCode.SEALED);
    this.type = type;
  }

  private record Option(int number, RecordCodec<Object> codec) {}

  @SuppressWarnings("unchecked") // values are taken apart by the codec of their class
  void add(RecordCodec<?> codec) {
    Option option = new Option(number(codec.type()), (RecordCodec<Object>) codec);
    byClass.put(codec.type(), option);
    Option other = byNumber.put(option.number, option);
    if (other != null) {
      throw new IllegalArgumentException(
          "%s and %s, both of the sealed %s, get the same number in the bytes; rename one of them"
              .formatted(other.codec.type().getName(), codec.type().getName(), type.getName()));
    }
  }

  /// Returns the codecs of the records.
  List<RecordCodec<Object>> options() {
    return byClass.values().stream().map(Option::codec).toList();
  }

  /// Returns the number that stands before a record.
  static int number(Class<?> record) {
    return Names.number(record.getSimpleName(), Names.CLASS_BITS);
  }

  @Override
  String id() {
    return "sealed:" + type.getName();
  }

  @Override
  boolean immutable(Set<Codec<?>> asked) {
    return byClass.values().stream().allMatch(option -> option.codec.immutable(asked));
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    List<Schema.Structure> options = new ArrayList<>();
    byClass.values().forEach(option -> options.add(option.codec.schema(builder)));
    return new Schema.Choice(options);
  }

  @Override
  void writeContent(T value, BytesWriter out) {
    Option option = byClass.get(value.getClass());
    if (option == null) {
      throw new SerdeException(
          "%s is none of the records of the sealed %s, which are %s"
              .formatted(value.getClass().getName(), type.getName(), names()));
    }
    writeNumber(option.number, out);
    option.codec.writeContent(value, out);
  }

  static void writeNumber(int number, BytesWriter out) {
    out.writeByte(number >> 16);
    out.writeShort(number);
  }

  @Override
  @SuppressWarnings("unchecked") // every record added implements T
  T readContent(BytesReader in) {
    int number = in.readUnsignedByte() << 16 | in.readShort() & 0xFFFF;
    Option option = byNumber.get(number);
    if (option == null) {
      throw new SerdeException(
          "no record of the sealed %s has the number %d found; known are %s"
              .formatted(type.getSimpleName(), number, names()));
    }
    return (T) option.codec.readContent(in);
  }

  private String names() {
    return byClass.keySet().stream().map(Class::getSimpleName).collect(Collectors.joining(", "));
  }
}
