package dev.millrace.internal.memory;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/// The settings of a topic: those of Kafka, so that the same applications run on both, of which few
/// mean anything here. Immutable.
///
/// @param compacted whether older records of a key are removed
/// @param deletes whether records may be deleted from the start on
/// @param stamps whether a record gets the time when it was appended
/// @param largestRecord in bytes of key, value and headers
/// @param retentionBytes of a partition; negative for no limit
/// @param retentionMillis since a record was appended; negative for no limit
/// @param tombstonesMillis how long a record without a value is kept at least
/// @param all by name
record TopicSettings(
    boolean compacted,
    boolean deletes,
    boolean stamps,
    int largestRecord,
    long retentionBytes,
    long retentionMillis,
    long tombstonesMillis,
    Map<String, String> all) {

  private static final String POLICY = "cleanup.policy";
  private static final String LARGEST = "max.message.bytes";
  private static final String TIMES = "message.timestamp.type";
  private static final Set<String> POLICIES =
      Set.of("delete", "compact", "compact,delete", "delete,compact");
  private static final Set<String> TIMESTAMPS = Set.of("CreateTime", "LogAppendTime");

  static TopicSettings defaults() {
    Map<String, String> all = new TreeMap<>();
    all.put(POLICY, "delete");
    all.put("compression.gzip.level", "-1");
    all.put("compression.lz4.level", "9");
    all.put("compression.type", "producer");
    all.put("compression.zstd.level", "3");
    all.put("delete.retention.ms", "60000");
    all.put("file.delete.delay.ms", "60000");
    all.put("flush.messages", "9223372036854775807");
    all.put("flush.ms", "9223372036854775807");
    all.put("index.interval.bytes", "4096");
    all.put("max.compaction.lag.ms", "9223372036854775807");
    all.put(LARGEST, "1048588");
    all.put("message.timestamp.after.max.ms", "9223372036854775807");
    all.put("message.timestamp.before.max.ms", "9223372036854775807");
    all.put(TIMES, "CreateTime");
    all.put("min.cleanable.dirty.ratio", "0.5");
    all.put("min.compaction.lag.ms", "0");
    all.put("min.insync.replicas", "1");
    all.put("preallocate", "false");
    all.put("retention.bytes", "-1");
    all.put("retention.ms", "-1");
    all.put("segment.bytes", "1073741824");
    all.put("segment.index.bytes", "10485760");
    all.put("segment.jitter.ms", "0");
    all.put("segment.ms", "604800000");
    all.put("unclean.leader.election.enable", "false");
    return of(all);
  }

  private static TopicSettings of(Map<String, String> all) {
    String policy = setting(all, POLICY);
    return new TopicSettings(
        policy.contains("compact"),
        policy.contains("delete"),
        setting(all, TIMES).equals("LogAppendTime"),
        Math.toIntExact(number(all, LARGEST)),
        number(all, "retention.bytes"),
        number(all, "retention.ms"),
        number(all, "delete.retention.ms"),
        Map.copyOf(all));
  }

  /// Returns a copy in which some settings have other values.
  ///
  /// @throws LogException of kind `REFUSED` if there is no such setting, or a value is not valid
  TopicSettings with(String topic, Map<String, String> changed) {
    Map<String, String> copy = new TreeMap<>(all);
    changed.forEach((name, value) -> {
      String before = all.get(name);
      if (before == null) {
        throw refused(topic, name, value, "there is no such setting");
      }
      requireValid(topic, name, value, before);
      copy.put(name, value);
    });
    return of(copy);
  }

  private static void requireValid(String topic, String name, String value, String before) {
    switch (name) {
      case POLICY -> requireOneOf(topic, name, value, POLICIES);
      case TIMES -> requireOneOf(topic, name, value, TIMESTAMPS);
      case LARGEST -> {
        if (!value.matches("[0-9]{1,9}")) {
          throw refused(topic, name, value, "it must be a number of bytes below a billion");
        }
      }
      default -> {
        if (isNumber(before) && !isNumber(value)) {
          throw refused(topic, name, value, "it must be a number");
        }
      }
    }
  }

  private static void requireOneOf(String topic, String name, String value, Set<String> values) {
    if (!values.contains(value)) {
      throw refused(topic, name, value, "it must be one of " + String.join(" ", values));
    }
  }

  private static boolean isNumber(String text) {
    return text.matches("-?[0-9]{1,19}");
  }

  private static LogException refused(String topic, String name, String value, String why) {
    return new LogException(
        Kind.REFUSED, "Topic '%s' cannot have %s=%s: %s.".formatted(topic, name, value, why));
  }

  private static String setting(Map<String, String> all, String name) {
    return Objects.requireNonNull(all.get(name));
  }

  private static long number(Map<String, String> all, String name) {
    return Long.parseLong(setting(all, name));
  }
}
