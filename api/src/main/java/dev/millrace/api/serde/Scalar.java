package dev.millrace.api.serde;

import java.util.Set;

/// A value without parts. It has two forms: the raw form, in which the order of the bytes is the
/// order of the values and which is a serde of its own and the part of a key; and the body inside
/// records, which is made for size.
abstract class Scalar<T> extends Codec<T> {
  private final int fixedBytes;

  /// @param fixedBytes the length of the raw form, 0 if it varies
  Scalar(TypeCode code, int fixedBytes) {
    super(code);
    this.fixedBytes = fixedBytes;
  }

  final int fixedBytes() {
    return fixedBytes;
  }

  @Override
  boolean immutable(Set<Codec<?>> asked) {
    return true;
  }

  /// Whether the raw form shows its own end. If not, [#readRaw] takes all that is left.
  boolean delimited() {
    return true;
  }

  abstract void writeRaw(T value, BytesWriter out);

  abstract T readRaw(BytesReader in);

  @Override
  String id() {
    return code().text;
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return new Schema.Plain(code().text);
  }

  /// The schema of the raw form.
  Schema.Type rawSchema(Schema.Builder builder) {
    return schema(builder);
  }

  /// The raw form, as it is if its length is fixed, after its length otherwise. Types whose code
  /// says that they are a number of variable length override both.
  @Override
  void writeBody(T value, BytesWriter out) {
    if (fixedBytes > 0) {
      writeRaw(value, out);
    } else {
      int mark = out.beginLength();
      writeRaw(value, out);
      out.endLength(mark);
    }
  }

  @Override
  T readBody(BytesReader in) {
    if (fixedBytes > 0) {
      return readRaw(in);
    }
    int outer = in.enter(in.readLength());
    T value = readRaw(in);
    in.leave(outer);
    return value;
  }
}
