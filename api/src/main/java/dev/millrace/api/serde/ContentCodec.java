package dev.millrace.api.serde;

/// A codec of values with parts. Inside others its content stands after its length, so that a
/// reader that does not know it can move past it; alone it is the value of a serde.
abstract class ContentCodec<T> extends Codec<T> {
  ContentCodec(TypeCode code) {
    super(code);
  }

  abstract void writeContent(T value, BytesWriter out);

  /// Reads up to the end of `in`.
  abstract T readContent(BytesReader in);

  @Override
  void writeBody(T value, BytesWriter out) {
    int mark = out.beginLength();
    out.descend();
    try {
      writeContent(value, out);
    } finally {
      out.ascend();
    }
    out.endLength(mark);
  }

  @Override
  T readBody(BytesReader in) {
    int outer = in.enter(in.readLength());
    in.descend();
    T value = readContent(in);
    in.ascend();
    in.leave(outer);
    return value;
  }

  /// Checks that the values inside were written as what they are read as.
  static void expectCode(Codec<?> codec, String what, BytesReader in) {
    int found = in.readUnsignedByte();
    if (found != codec.code().number) {
      throw new SerdeException(
          "%s were written as %s and are read as %s"
              .formatted(what, TypeCode.textOf(found), codec.code().text));
    }
  }
}
