package dev.millrace.internal.kafka.client;

import dev.millrace.spi.Log.Offsets;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.TopicExistsException;

/// Reads and changes topics, offsets and positions of groups with the admin client. Thread-safe.
public final class KafkaTopics {
  private static final long PAUSE_MILLIS = 20;

  private final AdminCalls calls;

  public KafkaTopics(AdminCalls calls) {
    this.calls = calls;
  }

  public Map<String, TopicInfo> infos(Collection<String> names) {
    Map<String, TopicDescription> found = describe(names);
    Map<String, KafkaFuture<org.apache.kafka.clients.admin.Config>> configs = new TreeMap<>();
    calls
        .admin()
        .describeConfigs(
            found.keySet().stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList())
        .values()
        .forEach((resource, future) -> configs.put(resource.name(), future));
    Map<String, TopicInfo> infos = new TreeMap<>();
    found.forEach((name, topic) ->
        ifThere(() ->
                calls.get(
                    "Reading the settings of topic " + name,
                    Objects.requireNonNull(configs.get(name))))
            .ifPresent(config ->
                infos.put(
                    name,
                    new TopicInfo(
                        name,
                        topic.topicId().toString(),
                        topic.partitions().size(),
                        settings(config.entries())))));
    return infos;
  }

  public Map<String, Integer> partitions(Collection<String> names) {
    Map<String, Integer> partitions = new TreeMap<>();
    describe(names).forEach((name, topic) -> partitions.put(name, topic.partitions().size()));
    return partitions;
  }

  public SortedSet<String> names() {
    return new TreeSet<>(calls.get("Listing topics", calls.admin().listTopics().names()));
  }

  private static Map<String, String> settings(Collection<ConfigEntry> entries) {
    Map<String, String> settings = new TreeMap<>();
    for (ConfigEntry entry : entries) {
      if (entry.value() != null) {
        settings.put(entry.name(), entry.value());
      }
    }
    return settings;
  }

  private Map<String, TopicDescription> describe(Collection<String> names) {
    DescribeTopicsResult answers = calls.admin().describeTopics(List.copyOf(names));
    Map<String, TopicDescription> found = new TreeMap<>();
    answers
        .topicNameValues()
        .forEach((name, answer) ->
            ifThere(() -> calls.get("Reading the description of topic " + name, answer))
                .ifPresent(topic -> found.put(name, topic)));
    return found;
  }

  private static <T> Optional<T> ifThere(Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (LogException e) {
      if (e.kind() == Kind.MISSING) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// Creates all topics with one request, and waits until each partition has a leader.
  public void create(Collection<TopicSpec> specs) {
    Map<String, KafkaFuture<Void>> answers =
        calls.admin().createTopics(specs.stream().map(KafkaTopics::newTopic).toList()).values();
    Map<String, Integer> awaited = new TreeMap<>();
    for (TopicSpec spec : specs) {
      boolean created =
          calls.succeeds(
              "Creating topic " + spec.name(),
              Objects.requireNonNull(answers.get(spec.name())),
              TopicExistsException.class);
      // One that exists already may have been created by another process a moment ago.
      awaited.put(spec.name(), created ? spec.partitions() : 1);
    }
    awaited.forEach(this::awaitPartitions);
  }

  private static NewTopic newTopic(TopicSpec spec) {
    return new NewTopic(
            spec.name(),
            Optional.of(spec.partitions()),
            spec.replication() < 0 ? Optional.empty() : Optional.of((short) spec.replication()))
        .configs(spec.settings());
  }

  public void addPartitions(String topic, int partitions) {
    TopicDescription found = describe(List.of(topic)).get(topic);
    if (found == null) {
      throw missing(topic);
    }
    if (found.partitions().size() < partitions) {
      // Somebody else may have added as many meanwhile.
      calls.succeeds(
          "Adding partitions to topic " + topic,
          calls.admin().createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all(),
          InvalidPartitionsException.class);
      awaitPartitions(topic, partitions);
    }
  }

  public void changeSettings(String topic, Map<String, String> settings) {
    if (describe(List.of(topic)).isEmpty()) {
      throw missing(topic);
    }
    List<AlterConfigOp> changes = new ArrayList<>();
    settings.forEach((name, value) ->
        changes.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    calls.get(
        "Changing settings of topic " + topic,
        calls.admin().incrementalAlterConfigs(Map.of(resource, changes)).all());
  }

  /// Waits until the brokers know the partitions of a new topic and each has a leader.
  private void awaitPartitions(String topic, int partitions) {
    long start = System.nanoTime();
    while (true) {
      TopicDescription found = describe(List.of(topic)).get(topic);
      if (found != null && led(found) >= partitions) {
        return;
      }
      if (System.nanoTime() - start > calls.patience().toNanos()) {
        throw new LogException(
            Kind.UNAVAILABLE,
            "Topic %s was created, but after %4$s only %3$d of its %2$d partitions have a leader."
                .formatted(
                    topic,
                    partitions,
                    found == null ? 0 : led(found),
                    Words.time(calls.patience())));
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new LogException(
            Kind.UNAVAILABLE, "The thread was interrupted while it created topic " + topic, e);
      }
    }
  }

  private static int led(TopicDescription topic) {
    int led = 0;
    for (TopicPartitionInfo partition : topic.partitions()) {
      if (partition.leader() != null && !partition.leader().isEmpty()) {
        led++;
      }
    }
    return led;
  }

  /// @throws LogException of kind `MISSING` if one of the splits does not exist
  public void requireExisting(Collection<Split> splits) {
    List<String> names = splits.stream().map(Split::stream).distinct().toList();
    Map<String, TopicDescription> found = describe(names);
    for (Split split : splits) {
      TopicDescription topic = found.get(split.stream());
      if (topic == null) {
        throw missing(split.stream());
      }
      int partitions = topic.partitions().size();
      if (split.partition() < 0 || split.partition() >= partitions) {
        throw new LogException(
            Kind.MISSING,
            split,
            "%s does not exist: the topic has %d partitions. Add some, or correct the number."
                .formatted(split, partitions),
            null);
      }
    }
  }

  private static LogException missing(String topic) {
    return new LogException(
        Kind.MISSING, "Topic " + topic + " does not exist. Create it, or correct its name.");
  }

  public Map<Split, Offsets> offsets(Collection<Split> splits) {
    requireExisting(splits);
    // What is stable is asked for first: should it be the end, then it was so at some moment.
    Map<Split, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> stableEnds =
        list(splits, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    Map<Split, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> ends =
        list(splits, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    Map<Split, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> starts =
        list(splits, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    Map<Split, Offsets> found = new TreeMap<>();
    for (Split split : splits) {
      String what = "Reading the offsets of " + split;
      long stableEnd = calls.get(what, Objects.requireNonNull(stableEnds.get(split))).offset();
      long end =
          Math.max(stableEnd, calls.get(what, Objects.requireNonNull(ends.get(split))).offset());
      long start = calls.get(what, Objects.requireNonNull(starts.get(split))).offset();
      found.put(split, new Offsets(start, Math.max(start, stableEnd), Math.max(start, end)));
    }
    return found;
  }

  public Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time) {
    requireExisting(splits);
    // Negative times have meanings of their own.
    OffsetSpec at = OffsetSpec.forTimestamp(Math.max(0, time.toEpochMilli()));
    Map<Split, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> ends =
        list(splits, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    Map<Split, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> offsets =
        list(splits, at, IsolationLevel.READ_COMMITTED);
    Map<Split, Long> found = new TreeMap<>();
    for (Split split : splits) {
      String what = "Reading the offset of " + split + " at " + time;
      long offset = calls.get(what, Objects.requireNonNull(offsets.get(split))).offset();
      long end = calls.get(what, Objects.requireNonNull(ends.get(split))).offset();
      found.put(split, offset < 0 ? end : offset);
    }
    return found;
  }

  private Map<Split, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> list(
      Collection<Split> splits, OffsetSpec which, IsolationLevel isolation) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    splits.forEach(split -> asked.put(partition(split), which));
    ListOffsetsResult answers = calls.admin().listOffsets(asked, new ListOffsetsOptions(isolation));
    Map<Split, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> futures = new HashMap<>();
    splits.forEach(split -> futures.put(split, answers.partitionResult(partition(split))));
    return futures;
  }

  private static TopicPartition partition(Split split) {
    return new TopicPartition(split.stream(), split.partition());
  }

  public Map<Split, Long> committedPositions(String group) {
    return positions(group, _ -> true);
  }

  public Map<Split, Long> positionsOfOthers(String group) {
    return positions(group, offset -> !GroupPositions.isOwn(offset));
  }

  private Map<Split, Long> positions(String group, Predicate<OffsetAndMetadata> wanted) {
    Map<Split, Long> positions = new TreeMap<>();
    Map<TopicPartition, OffsetAndMetadata> found;
    try {
      found =
          calls.get(
              "Reading the positions of group '" + group + "'",
              calls.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    } catch (LogException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return positions;
      }
      throw e;
    }
    found.forEach((partition, offset) -> {
      if (offset != null && wanted.test(offset)) {
        positions.put(new Split(partition.topic(), partition.partition()), offset.offset());
      }
    });
    return positions;
  }

  public void deleteBefore(Map<Split, Long> offsets) {
    List<Split> splits = new ArrayList<>(offsets.keySet());
    Map<Split, Offsets> found = offsets(splits);
    Map<TopicPartition, RecordsToDelete> asked = new HashMap<>();
    offsets.forEach((split, offset) -> {
      long end = found.getOrDefault(split, new Offsets(0, 0, 0)).end();
      // To Kafka, -1 means everything.
      if (offset < 0 || offset > end) {
        throw new LogException(
            Kind.REFUSED,
            split,
            "Records of %s cannot be deleted below offset %d, because it ends at %d."
                .formatted(split, offset, end),
            null);
      }
      asked.put(partition(split), RecordsToDelete.beforeOffset(offset));
    });
    calls
        .admin()
        .deleteRecords(asked)
        .lowWatermarks()
        .forEach((partition, future) ->
            calls.get(
                "Deleting records of %s below %d"
                    .formatted(
                        partition, Objects.requireNonNull(asked.get(partition)).beforeOffset()),
                future));
  }
}
