package dev.millrace.internal.kafka.client;

import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/// Converts positions of a group from and to Kafka's committed offsets.
public final class GroupPositions {
  /// Metadata that is written with each position, to distinguish it from offsets that other tools
  /// have set.
  public static final String OWN = "millrace";

  private GroupPositions() {}

  static boolean isOwn(OffsetAndMetadata offset) {
    return OWN.equals(offset.metadata());
  }

  public static Map<TopicPartition, OffsetAndMetadata> offsets(Map<Split, Position> positions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    positions.forEach((split, position) ->
        offsets.put(new TopicPartition(split.stream(), split.partition()), offset(position)));
    return offsets;
  }

  private static OffsetAndMetadata offset(Position position) {
    return new OffsetAndMetadata(position.offset(), PositionDetail.leaderEpoch(position), OWN);
  }

  /// Kafka takes positions from anybody who is in a transaction, members or not. It deprecates this
  /// class for an interface that does not exist yet; the alternative is a consumer for each group.
  @SuppressWarnings("removal")
  public static ConsumerGroupMetadata withoutMembers(String group) {
    return new ConsumerGroupMetadata(group, -1, "", Optional.empty());
  }
}
