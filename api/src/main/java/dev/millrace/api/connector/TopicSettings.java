package dev.millrace.api.connector;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What an application says of a topic whether it reads or writes it.
///
/// @param name of the topic; what several are called together
/// @param choice of several topics; null if it is one
/// @param partitions how many it must have; 0 for however many it has
/// @param settings that the topic is created with and must have, by their names in Kafka
public record TopicSettings(
    String name, @Nullable TopicChoice choice, int partitions, Map<String, String> settings) {

  /// Returns one topic, of which nothing else is said.
  public static TopicSettings of(String name) {
    return new TopicSettings(name, null, 0, Map.of());
  }

  /// Returns several topics, of which nothing else is said.
  public static TopicSettings of(TopicChoice choice) {
    return new TopicSettings(choice.text(), choice, 0, Map.of());
  }

  /// Returns the same of one of several topics.
  public TopicSettings one(String topic) {
    return new TopicSettings(topic, null, partitions, settings);
  }

  /// Returns the same with a number of partitions, at least 1.
  public TopicSettings withPartitions(int newPartitions) {
    if (newPartitions < 1) {
      throw new IllegalArgumentException(
          "Topic '" + name + "' cannot have " + newPartitions + " partitions; give at least 1.");
    }
    return new TopicSettings(name, choice, newPartitions, settings);
  }

  /// Returns the same with one more setting.
  public TopicSettings withSetting(String setting, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(setting, value);
    return new TopicSettings(name, choice, partitions, more);
  }
}
