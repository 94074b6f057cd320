package dev.millrace.api;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What an application says of a topic, but for its types.
///
/// @param partitions how many it must have; 0 for however many it has
/// @param settings that the topic is created with and must have, by their names in Kafka
/// @param disorder how far behind its predecessors an event may be
/// @param retractions whether what is taken back is written
/// @param maxAhead how far ahead an event may be and still move time
/// @param refused how far ahead an event is bad input; null if none is
/// @param timestamps which ones records of a sink get
public record TopicSettings(
    String name,
    int partitions,
    Map<String, String> settings,
    boolean bounded,
    @Nullable Start start,
    Duration disorder,
    boolean retractions,
    Duration maxAhead,
    @Nullable Duration refused,
    Timestamps timestamps) {

  static TopicSettings of(String name) {
    return new TopicSettings(
        name,
        0,
        new TreeMap<>(),
        false,
        null,
        Duration.ZERO,
        false,
        Duration.ofDays(1),
        null,
        Timestamps.EVENT_TIME);
  }

  TopicSettings withPartitions(int newPartitions) {
    if (newPartitions < 1) {
      throw new IllegalArgumentException(
          "Topic '" + name + "' cannot have " + newPartitions + " partitions; give at least 1.");
    }
    return new TopicSettings(
        name,
        newPartitions,
        settings,
        bounded,
        start,
        disorder,
        retractions,
        maxAhead,
        refused,
        timestamps);
  }

  TopicSettings withSetting(String setting, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(setting, value);
    return new TopicSettings(
        name,
        partitions,
        more,
        bounded,
        start,
        disorder,
        retractions,
        maxAhead,
        refused,
        timestamps);
  }

  TopicSettings withBounded() {
    return new TopicSettings(
        name,
        partitions,
        settings,
        true,
        start,
        disorder,
        retractions,
        maxAhead,
        refused,
        timestamps);
  }

  TopicSettings withStart(Start newStart) {
    return new TopicSettings(
        name,
        partitions,
        settings,
        bounded,
        newStart,
        disorder,
        retractions,
        maxAhead,
        refused,
        timestamps);
  }

  TopicSettings withDisorder(Duration newDisorder) {
    if (newDisorder.isNegative()) {
      throw new IllegalArgumentException(
          "The disorder of topic '" + name + "' cannot be negative; found " + newDisorder + ".");
    }
    return new TopicSettings(
        name,
        partitions,
        settings,
        bounded,
        start,
        newDisorder,
        retractions,
        maxAhead,
        refused,
        timestamps);
  }

  TopicSettings withRetractions() {
    return new TopicSettings(
        name, partitions, settings, bounded, start, disorder, true, maxAhead, refused, timestamps);
  }

  TopicSettings withMaxAhead(Duration newMaxAhead) {
    if (newMaxAhead.isNegative()) {
      throw new IllegalArgumentException(
          "Events of topic '" + name + "' cannot be ahead by " + newMaxAhead + ".");
    }
    return new TopicSettings(
        name,
        partitions,
        settings,
        bounded,
        start,
        disorder,
        retractions,
        newMaxAhead,
        refused,
        timestamps);
  }

  TopicSettings withRefused(Duration ahead) {
    if (ahead.isNegative()) {
      throw new IllegalArgumentException(
          "Events of topic '" + name + "' cannot be refused from " + ahead + " ahead on.");
    }
    return new TopicSettings(
        name,
        partitions,
        settings,
        bounded,
        start,
        disorder,
        retractions,
        maxAhead,
        ahead,
        timestamps);
  }

  TopicSettings withTimestamps(Timestamps newTimestamps) {
    return new TopicSettings(
        name,
        partitions,
        settings,
        bounded,
        start,
        disorder,
        retractions,
        maxAhead,
        refused,
        newTimestamps);
  }
}
