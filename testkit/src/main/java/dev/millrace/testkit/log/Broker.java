package dev.millrace.testkit.log;

import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.Trace;
import dev.millrace.testkit.time.Scheduler;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The other end of every link: topics, transactions and groups. What is called here has arrived.
final class Broker {
  final Scheduler scheduler;
  final Trace trace;
  final Seed seed;
  final ModelSettings settings;
  final Groups groups;
  final Coordinator coordinator;
  final TreeMap<String, ModelTopic> topics = new TreeMap<>();

  /// What topics get that say nothing of these settings, in the place of Kafka's own defaults.
  final Map<String, String> defaults = new TreeMap<>();

  private final Seed topicIds;

  Broker(Scheduler scheduler, Trace trace, Seed seed, ModelSettings settings) {
    this.scheduler = scheduler;
    this.trace = trace;
    this.seed = seed;
    this.settings = settings;
    groups = new Groups(trace);
    coordinator = new Coordinator(scheduler, trace, seed.fork("markers"), settings, groups);
    topicIds = seed.fork("topic ids");
  }

  void createTopic(TopicSpec spec) {
    if (topics.containsKey(spec.name())) {
      return;
    }
    if (!spec.name().matches("[a-zA-Z0-9._-]{1,249}") || spec.partitions() < 1) {
      throw new LogException(
          Kind.REFUSED,
          "Topic '"
              + spec.name()
              + "' with "
              + spec.partitions()
              + " partitions cannot be created.");
    }
    Map<String, String> settings = new TreeMap<>(defaults);
    settings.putAll(spec.settings());
    ModelTopic topic = new ModelTopic(spec.name(), topicIds.bytes(16), settings);
    topics.put(spec.name(), topic);
    grow(topic, spec.partitions());
  }

  void addPartitions(String name, int partitions) {
    grow(topic(name), partitions);
  }

  ModelTopic topic(String name) {
    ModelTopic topic = topics.get(name);
    if (topic == null) {
      throw new LogException(Kind.MISSING, "Topic " + name + " does not exist.");
    }
    return topic;
  }

  private void grow(ModelTopic topic, int partitions) {
    for (int i = topic.partitions.size(); i < partitions; i++) {
      Split split = new Split(topic.name, i);
      topic.partitions.add(new ModelPartition(split, topic, scheduler.clock()::millis, trace));
      trace.add("partition", split);
    }
  }

  void deleteTopic(String name) {
    topics.remove(topic(name).name);
    trace.add("delete topic", name);
  }

  @Nullable ModelPartition find(Split split) {
    ModelTopic topic = topics.get(split.stream());
    return topic == null || split.partition() < 0 || split.partition() >= topic.partitions.size()
        ? null
        : topic.partitions.get(split.partition());
  }

  ModelPartition partition(Split split) {
    ModelPartition partition = find(split);
    if (partition == null) {
      throw new LogException(Kind.MISSING, split, "Split " + split + " does not exist.", null);
    }
    return partition;
  }

  /// Takes the records of a writer's request.
  Answer produce(WriterId writer, Split split, List<Payload> payloads) {
    ModelPartition partition = find(split);
    if (partition == null) {
      return Answer.failed("Split " + split + " does not exist.");
    }
    String refusal = refusal(partition, payloads);
    if (refusal != null) {
      return Answer.failed(refusal);
    }
    PartitionTransaction open = partition.openOf(writer.producerId());
    if (open == null || open.epoch != writer.epoch()) {
      Answer admitted = coordinator.admit(writer, partition);
      if (admitted.code() != Answer.Code.OK) {
        return admitted;
      }
    }
    return Answer.appendedAt(
        partition.append(payloads, writer.producerId(), writer.epoch(), writer.transactionalId()));
  }

  /// Takes records that belong to no transaction. Nobody is fenced here.
  Answer produceOutside(Split split, List<Payload> payloads) {
    ModelPartition partition = find(split);
    if (partition == null) {
      return Answer.failed("Split " + split + " does not exist.");
    }
    String refusal = refusal(partition, payloads);
    return refusal == null ? Answer.appendedAt(partition.append(payloads)) : Answer.failed(refusal);
  }

  private @Nullable String refusal(ModelPartition partition, List<Payload> payloads) {
    int largest = partition.topic.largestBatchBytes();
    long ahead =
        partition.topic.stampsOnAppend() ? Long.MAX_VALUE : partition.topic.longestAheadMillis();
    long now = scheduler.clock().millis();
    long latest = ahead > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + ahead;
    for (Payload payload : payloads) {
      if (payload.sizeBytes() > largest) {
        return "A record of "
            + payload.sizeBytes()
            + " bytes is too large for split "
            + partition.split
            + ", which takes "
            + largest
            + " bytes (max.message.bytes).";
      }
      if (payload.key() == null && partition.topic.isCompacted()) {
        return "A record without key cannot be written to split "
            + partition.split
            + ", which is compacted.";
      }
      if (payload.timestamp() < 0) {
        return "The timestamp "
            + payload.timestamp()
            + " of a record for split "
            + partition.split
            + " is none that Kafka takes.";
      }
      if (payload.timestamp() > latest) {
        return "The timestamp "
            + payload.timestamp()
            + " of a record for split "
            + partition.split
            + " lies too far in the future (message.timestamp.after.max.ms).";
      }
    }
    return null;
  }
}
