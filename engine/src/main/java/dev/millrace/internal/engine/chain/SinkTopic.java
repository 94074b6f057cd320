package dev.millrace.internal.engine.chain;

import dev.millrace.spi.Log.TopicInfo;

/// What the topic of a sink takes, as it was when the job was started.
///
/// @param recordBytes the largest record: key, value and headers together
/// @param behindMillis how far behind the broker's clock a timestamp may be
/// @param aheadMillis how far ahead of it
/// @param stamps whether the broker puts its own time in the place of every timestamp
public record SinkTopic(
    String name,
    int partitions,
    int recordBytes,
    long behindMillis,
    long aheadMillis,
    boolean stamps) {
  static final String MOST_BEHIND = "message.timestamp.before.max.ms";
  static final String MOST_AHEAD = "message.timestamp.after.max.ms";
  static final String LARGEST = "max.message.bytes";

  /// What a batch of one record has besides its key, value and headers, at most.
  private static final int FRAME_BYTES = 140;

  /// What is known of a topic; what is not, as Kafka has it by default.
  public static SinkTopic of(TopicInfo info) {
    return new SinkTopic(
        info.name(),
        info.partitions(),
        (int) number(info, LARGEST, 1_048_588) - FRAME_BYTES,
        number(info, MOST_BEHIND, Long.MAX_VALUE),
        number(info, MOST_AHEAD, 3_600_000),
        "LogAppendTime".equals(info.settings().get("message.timestamp.type")));
  }

  private static long number(TopicInfo info, String setting, long usual) {
    String value = info.settings().get(setting);
    return value == null ? usual : Long.parseLong(value);
  }
}
