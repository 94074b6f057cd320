package dev.millrace.internal.state.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// A stream that hashes what is read from it, and ends when it is longer than it should be: more
/// would be wrong in any case, and there may be no end of it.
final class HashedStream extends InputStream {
  private static final int READ_BYTES = 64 << 10;

  private final InputStream inner;
  private final long sizeBytes;
  private final MessageDigest digest = sha256();
  private long read;

  /// @param inner not closed with this
  HashedStream(InputStream inner, long sizeBytes) {
    this.inner = inner;
    this.sizeBytes = sizeBytes;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (read > sizeBytes) {
      return -1;
    }
    int got = inner.read(into, offset, length);
    if (got > 0) {
      digest.update(into, offset, got);
      read += got;
    }
    return got;
  }

  /// Reads to the end.
  HashedStream drain() throws IOException {
    byte[] bytes = new byte[READ_BYTES];
    while (read(bytes, 0, bytes.length) >= 0) {}
    return this;
  }

  /// Returns the hash of what was read, if that has the right size; otherwise something else. Once.
  String hash() {
    String hash = HexFormat.of().formatHex(digest.digest());
    return read == sizeBytes ? hash : hash + " of " + read + " bytes";
  }

  static String hash(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every JDK has SHA-256.", e);
    }
  }
}
