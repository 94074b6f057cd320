package dev.millrace.api.serde;

import java.util.Set;
import java.util.UUID;

/// Texts, bytes and identifiers.
final class TextScalars {
  static final Scalar<String> STRING = new StringScalar();
  static final Scalar<byte[]> BYTE_ARRAY = new ByteArrayScalar();
  static final Scalar<Bytes> COPIED_BYTES = new CopiedBytesScalar();
  static final Scalar<UUID> UUID = new UuidScalar();

  private TextScalars() {}

  private static final class StringScalar extends Scalar<String> {
    StringScalar() {
      super(TypeCode.STRING, 0);
    }

    @Override
    boolean delimited() {
      return false;
    }

    @Override
    void writeRaw(String value, BytesWriter out) {
      Utf8.write(value, out);
    }

    @Override
    String readRaw(BytesReader in) {
      int at = in.index();
      int length = in.remaining();
      in.skip(length);
      return Utf8.read(in.array(), at, length);
    }
  }

  private static final class ByteArrayScalar extends Scalar<byte[]> {
    ByteArrayScalar() {
      super(TypeCode.BYTES, 0);
    }

    @Override
    boolean immutable(Set<Codec<?>> asked) {
      return false;
    }

    @Override
    boolean delimited() {
      return false;
    }

    @Override
    void writeRaw(byte[] value, BytesWriter out) {
      out.write(value);
    }

    @Override
    byte[] readRaw(BytesReader in) {
      return in.readBytes(in.remaining());
    }
  }

  private static final class CopiedBytesScalar extends Scalar<Bytes> {
    CopiedBytesScalar() {
      super(TypeCode.BYTES, 0);
    }

    @Override
    boolean immutable(Set<Codec<?>> asked) {
      return false;
    }

    @Override
    boolean delimited() {
      return false;
    }

    @Override
    void writeRaw(Bytes value, BytesWriter out) {
      out.write(value);
    }

    @Override
    Bytes readRaw(BytesReader in) {
      return Bytes.of(in.readBytes(in.remaining()));
    }
  }

  /// Both halves with the sign bit flipped: the order of [UUID#compareTo], which compares them
  /// signed.
  private static final class UuidScalar extends Scalar<UUID> {
    UuidScalar() {
      super(TypeCode.UUID, 16);
    }

    @Override
    void writeRaw(UUID value, BytesWriter out) {
      out.writeLong(value.getMostSignificantBits() ^ Long.MIN_VALUE);
      out.writeLong(value.getLeastSignificantBits() ^ Long.MIN_VALUE);
    }

    @Override
    UUID readRaw(BytesReader in) {
      long most = in.readLong() ^ Long.MIN_VALUE;
      return new UUID(most, in.readLong() ^ Long.MIN_VALUE);
    }
  }
}
