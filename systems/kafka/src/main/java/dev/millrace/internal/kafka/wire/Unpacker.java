package dev.millrace.internal.kafka.wire;

import dev.millrace.api.serde.BytesWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.BufferSupplier;

/// Decompresses the records of a batch, with bounded memory, whatever sizes they declare. Not
/// thread-safe.
final class Unpacker implements AutoCloseable {
  private static final int AT_ONCE = 64 << 10;

  /// Snappy's best: three bytes say that 64 are repeated.
  private static final int MOST_OF_SNAPPY = 22;

  /// The beginning of a stream of Snappy blocks, which stands between them, too, if it was put
  /// together.
  private static final long SNAPPY_STREAM = 0x82534E41_50505900L;

  private static final int SNAPPY_HEADER = 16;
  private static final int ENOUGH_FOR_SMALL = 64;

  private final BufferSupplier buffers = BufferSupplier.create();
  private final int mostBytes;

  /// There is more than may be unpacked.
  static final class TooMuchException extends IOException {
    private static final long serialVersionUID = 1L;

    TooMuchException(int mostBytes) {
      super("more than " + mostBytes + " bytes");
    }
  }

  /// @param mostBytes that a batch may unpack to
  Unpacker(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  /// Appends what lies packed from `from` to `behind`. If this throws, what was appended is to be
  /// cut off again.
  ///
  /// @throws TooMuchException if that is more than it may be
  /// @throws IOException if that is nothing packed in this way
  void unpack(CompressionType type, byte[] array, int from, int behind, BytesWriter out)
      throws IOException {
    if (type == CompressionType.SNAPPY) {
      requirePossible(array, from, behind);
    }
    ByteBuffer packed = ByteBuffer.wrap(array, from, behind - from);
    int start = out.length();
    try (InputStream stream =
        Compression.of(type).build().wrapForInput(packed, BatchLayout.FORMAT, buffers)) {
      while (true) {
        int room = Math.min(AT_ONCE, mostBytes - (out.length() - start));
        if (room == 0) {
          requireEnd(stream);
          return;
        }
        int to = out.reserve(room);
        int read = stream.readNBytes(out.array(), to, room);
        out.truncate(to + read);
        if (read < room) {
          return;
        }
      }
    } catch (KafkaException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void requireEnd(InputStream stream) throws IOException {
    if (stream.read() >= 0) {
      throw new TooMuchException(mostBytes);
    }
  }

  /// Snappy blocks begin with the size of what they hold, and the library takes memory for it
  /// before it looks at the rest.
  private static void requirePossible(byte[] array, int from, int behind) throws IOException {
    if (behind - from < SNAPPY_HEADER || BatchLayout.longAt(array, from) != SNAPPY_STREAM) {
      requirePossibleBlock(array, from, behind);
      return;
    }
    int at = from + SNAPPY_HEADER;
    while (behind - at >= Integer.BYTES) {
      int length = BatchLayout.intAt(array, at);
      if (length == (int) (SNAPPY_STREAM >>> Integer.SIZE)) {
        at += SNAPPY_HEADER;
        continue;
      }
      at += Integer.BYTES;
      if (length < 0 || length > behind - at) {
        throw new IOException("a block of " + length + " bytes");
      }
      requirePossibleBlock(array, at, at + length);
      at += length;
    }
  }

  private static void requirePossibleBlock(byte[] array, int from, int behind) throws IOException {
    long claimed = 0;
    for (int i = 0; i < 5 && from + i < behind; i++) {
      claimed |= (array[from + i] & 0x7FL) << (7 * i);
      if (array[from + i] >= 0) {
        break;
      }
    }
    if (claimed > ENOUGH_FOR_SMALL + (long) MOST_OF_SNAPPY * (behind - from)) {
      throw new IOException(
          "a block of %d bytes that declares %d".formatted(behind - from, claimed));
    }
  }

  @Override
  public void close() {
    buffers.close();
  }
}
