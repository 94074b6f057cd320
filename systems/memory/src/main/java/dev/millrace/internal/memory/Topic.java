package dev.millrace.internal.memory;

import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Split;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A topic: its partitions and settings. Guarded by the lock of the store.
final class Topic {
  private final String name;
  private final UUID id = UUID.randomUUID();
  private final byte[] detail =
      ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(id.getMostSignificantBits())
          .putLong(id.getLeastSignificantBits())
          .array();
  private final List<Partition> partitions = new ArrayList<>();
  private TopicSettings settings;
  private boolean deleted;

  Topic(String name, TopicSettings settings) {
    this.name = name;
    this.settings = settings;
  }

  TopicInfo info() {
    return new TopicInfo(name, id.toString(), partitions.size(), settings.all());
  }

  /// Returns what positions in this topic carry, and in no other one of the same name.
  byte[] detail() {
    return detail;
  }

  TopicSettings settings() {
    return settings;
  }

  void change(Map<String, String> changed) {
    settings = settings.with(name, changed);
  }

  /// Adds partitions until there are so many.
  void grow(int count) {
    while (partitions.size() < count) {
      partitions.add(new Partition(new Split(name, partitions.size()), this));
    }
  }

  List<Partition> partitions() {
    return partitions;
  }

  @Nullable Partition partition(int number) {
    return number >= 0 && number < partitions.size() ? partitions.get(number) : null;
  }

  boolean isDeleted() {
    return deleted;
  }

  /// Says that the topic is gone, so that its readers fail.
  void delete() {
    deleted = true;
    partitions.forEach(Partition::clear);
  }
}
