package dev.millrace.testkit.log;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// What stands in the detail of a position in the model log, as in Kafka: 16 bytes of topic id,
/// then four bytes with the leader epoch of the record before the position, -1 if it is not known.
///
/// @param topicId 16 bytes
record PositionDetail(byte[] topicId, int leaderEpoch) {
  private static final int ID_BYTES = 16;

  byte[] encode() {
    return ByteBuffer.allocate(ID_BYTES + Integer.BYTES).put(topicId).putInt(leaderEpoch).array();
  }

  /// Null for no bytes at all: a position that was not taken from a batch.
  static @Nullable PositionDetail decode(byte[] detail) {
    if (detail.length == 0) {
      return null;
    }
    if (detail.length != ID_BYTES + Integer.BYTES) {
      throw new IllegalArgumentException(
          "The detail of a position in this log has " + detail.length + " bytes, not 20.");
    }
    ByteBuffer buffer = ByteBuffer.wrap(detail);
    byte[] id = new byte[ID_BYTES];
    buffer.get(id);
    return new PositionDetail(id, buffer.getInt());
  }

  static String text(byte[] topicId) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(topicId);
  }
}
