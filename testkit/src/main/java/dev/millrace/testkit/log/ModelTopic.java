package dev.millrace.testkit.log;

import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// One life of a topic: created again it is another one.
final class ModelTopic {
  private static final Map<String, String> DEFAULTS = defaults();

  final String name;
  final byte[] id;
  final List<ModelPartition> partitions = new ArrayList<>();
  private TreeMap<String, String> settings = new TreeMap<>(DEFAULTS);
  private boolean compacted;
  private boolean deletes;
  private boolean stampsOnAppend;
  private int largestBatchBytes;
  private long longestAheadMillis;

  ModelTopic(String name, byte[] id, Map<String, String> own) {
    this.name = name;
    this.id = id;
    changeSettings(own);
  }

  /// Nothing has changed if one of them does not exist.
  void changeSettings(Map<String, String> own) {
    TreeMap<String, String> changed = new TreeMap<>(settings);
    new TreeMap<>(own)
        .forEach((setting, value) -> {
          if (changed.replace(setting, value) == null) {
            throw new LogException(
                Kind.REFUSED, "Topic " + name + ": the log knows no setting " + setting + ".");
          }
        });
    settings = changed;
    compacted = setting("cleanup.policy").contains("compact");
    deletes = setting("cleanup.policy").contains("delete");
    stampsOnAppend = setting("message.timestamp.type").equals("LogAppendTime");
    largestBatchBytes = Integer.parseInt(setting("max.message.bytes"));
    longestAheadMillis = number("message.timestamp.after.max.ms");
  }

  TopicInfo info() {
    return new TopicInfo(name, PositionDetail.text(id), partitions.size(), new TreeMap<>(settings));
  }

  boolean isCompacted() {
    return compacted;
  }

  boolean deletes() {
    return deletes;
  }

  boolean stampsOnAppend() {
    return stampsOnAppend;
  }

  int largestBatchBytes() {
    return largestBatchBytes;
  }

  /// How far the timestamp of a record may lie in the future.
  long longestAheadMillis() {
    return longestAheadMillis;
  }

  String cleanupPolicy() {
    return setting("cleanup.policy");
  }

  private String setting(String setting) {
    return Objects.requireNonNull(settings.get(setting));
  }

  long number(String setting) {
    return Long.parseLong(setting(setting));
  }

  private static Map<String, String> defaults() {
    TreeMap<String, String> all = new TreeMap<>();
    all.put("cleanup.policy", "delete");
    all.put("compression.gzip.level", "-1");
    all.put("compression.lz4.level", "9");
    all.put("compression.type", "producer");
    all.put("compression.zstd.level", "3");
    all.put("delete.retention.ms", "86400000");
    all.put("file.delete.delay.ms", "60000");
    all.put("flush.messages", "9223372036854775807");
    all.put("flush.ms", "9223372036854775807");
    all.put("follower.replication.throttled.replicas", "");
    all.put("index.interval.bytes", "4096");
    all.put("leader.replication.throttled.replicas", "");
    all.put("local.retention.bytes", "-2");
    all.put("local.retention.ms", "-2");
    all.put("max.compaction.lag.ms", "9223372036854775807");
    all.put("max.message.bytes", "1048588");
    all.put("message.timestamp.after.max.ms", "3600000");
    all.put("message.timestamp.before.max.ms", "9223372036854775807");
    all.put("message.timestamp.type", "CreateTime");
    all.put("min.cleanable.dirty.ratio", "0.5");
    all.put("min.compaction.lag.ms", "0");
    all.put("min.insync.replicas", "1");
    all.put("preallocate", "false");
    all.put("remote.log.copy.disable", "false");
    all.put("remote.log.delete.on.disable", "false");
    all.put("remote.storage.enable", "false");
    all.put("retention.bytes", "-1");
    all.put("retention.ms", "604800000");
    all.put("segment.bytes", "1073741824");
    all.put("segment.index.bytes", "10485760");
    all.put("segment.jitter.ms", "0");
    all.put("segment.ms", "604800000");
    all.put("unclean.leader.election.enable", "false");
    return all;
  }
}
