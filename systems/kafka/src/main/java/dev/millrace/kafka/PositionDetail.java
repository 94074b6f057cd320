package dev.millrace.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/// What stands in the detail of a position in Kafka: 16 bytes of topic id, then four bytes with the
/// leader epoch of the record before the position, or at it; -1 if it is not known.
record PositionDetail(Uuid topicId, int leaderEpoch) {
  static final int UNKNOWN_EPOCH = -1;
  private static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .putLong(topicId.getMostSignificantBits())
        .putLong(topicId.getLeastSignificantBits())
        .putInt(leaderEpoch)
        .array();
  }

  /// Null for no bytes at all: a position that was not taken from a batch.
  static @Nullable PositionDetail decode(byte[] detail) {
    if (detail.length == 0) {
      return null;
    }
    if (detail.length != BYTES) {
      throw new IllegalArgumentException(
          "The detail of a position in Kafka has %d bytes, not %d."
              .formatted(detail.length, BYTES));
    }
    ByteBuffer buffer = ByteBuffer.wrap(detail);
    return new PositionDetail(new Uuid(buffer.getLong(), buffer.getLong()), buffer.getInt());
  }
}
