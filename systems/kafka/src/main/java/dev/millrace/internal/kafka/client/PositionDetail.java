package dev.millrace.internal.kafka.client;

import dev.millrace.spi.Position;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/// The detail of a position in Kafka: 16 bytes of topic id, then four bytes with the leader epoch
/// of the record before the position, or at it; -1 if it is not known.
public record PositionDetail(Uuid topicId, int leaderEpoch) {
  public static final int UNKNOWN_EPOCH = -1;
  private static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

  public byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .putLong(topicId.getMostSignificantBits())
        .putLong(topicId.getLeastSignificantBits())
        .putInt(leaderEpoch)
        .array();
  }

  /// Decodes a detail. Returns null for no bytes, the detail of a position that does not come from
  /// a batch.
  public static @Nullable PositionDetail decode(byte[] detail) {
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

  /// Returns the leader epoch of the record before a position, if it is known.
  public static Optional<Integer> leaderEpoch(Position position) {
    PositionDetail detail = decode(position.detail());
    return detail == null || detail.leaderEpoch < 0
        ? Optional.empty()
        : Optional.of(detail.leaderEpoch);
  }
}
