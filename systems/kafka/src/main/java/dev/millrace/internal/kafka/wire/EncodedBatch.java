package dev.millrace.internal.kafka.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// A record batch as bytes, ready to be sent once it is stamped with its sender. Not thread-safe.
public final class EncodedBatch {
  private final byte[] array;
  private final int length;
  private final int count;
  private final BatchArrays arrays;

  EncodedBatch(byte[] array, int length, int count, BatchArrays arrays) {
    this.array = array;
    this.length = length;
    this.count = count;
    this.arrays = arrays;
  }

  /// Releases its memory. Must be called only when no connection can send it any more.
  public void release() {
    arrays.release(array);
  }

  /// Returns how many records it holds.
  public int count() {
    return count;
  }

  /// Returns its size in bytes.
  public int length() {
    return length;
  }

  /// Sets the sender and computes the checksum. May be called again, for another attempt.
  ///
  /// @param baseSequence of its first record
  public ByteBuffer stamp(long producerId, int epoch, int baseSequence, boolean transactional) {
    int attributes = BatchLayout.shortAt(array, BatchLayout.ATTRIBUTES);
    int stamped =
        transactional
            ? attributes | BatchLayout.TRANSACTIONAL
            : attributes & ~BatchLayout.TRANSACTIONAL;
    BatchLayout.putShort(array, BatchLayout.ATTRIBUTES, stamped);
    BatchLayout.putLong(array, BatchLayout.PRODUCER_ID, producerId);
    BatchLayout.putShort(array, BatchLayout.PRODUCER_EPOCH, epoch);
    BatchLayout.putInt(array, BatchLayout.BASE_SEQUENCE, baseSequence);
    CRC32C crc = new CRC32C();
    crc.update(array, BatchLayout.ATTRIBUTES, length - BatchLayout.ATTRIBUTES);
    BatchLayout.putInt(array, BatchLayout.CRC, (int) crc.getValue());
    return ByteBuffer.wrap(array, 0, length);
  }
}
