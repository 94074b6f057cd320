package dev.millrace.testkit.log;

import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/// The log as one simulated process sees it, for one life of that process.
final class ModelClient implements Log {
  private final Link link;
  private final int life;
  private final Broker broker;
  private final Batches batches;
  private final Seed seed;
  private final List<Runnable> opened = new ArrayList<>();
  private boolean closed;

  ModelClient(Link link, Batches batches) {
    this.link = link;
    life = link.life();
    broker = link.broker();
    this.batches = batches;
    seed = broker.seed.fork("readers of " + link.process() + " in life " + life);
  }

  @Override
  public String clusterId() {
    return "model-" + Long.toHexString(broker.seed.value());
  }

  @Override
  public SortedSet<String> topicNames() {
    return read("list topics", List.of(), () -> new TreeSet<>(broker.topics.keySet()));
  }

  @Override
  public Map<String, TopicInfo> topics(Collection<String> names) {
    return read(
        "describe topics",
        names,
        () -> {
          TreeMap<String, TopicInfo> found = new TreeMap<>();
          for (String name : names) {
            ModelTopic topic = broker.topics.get(name);
            if (topic != null) {
              found.put(name, topic.info());
            }
          }
          return found;
        });
  }

  @Override
  public void createTopics(Collection<TopicSpec> specs) {
    specs.forEach(spec -> change("create topic", spec.name(), () -> broker.createTopic(spec)));
  }

  @Override
  public void addPartitions(String topic, int partitions) {
    change("add partitions to", topic, () -> broker.addPartitions(topic, partitions));
  }

  @Override
  public void changeSettings(String topic, Map<String, String> settings) {
    change("change settings of", topic, () -> broker.topic(topic).changeSettings(settings));
  }

  @Override
  public Map<Split, Offsets> offsets(Collection<Split> splits) {
    return read(
        "find offsets of",
        splits,
        () -> {
          TreeMap<Split, Offsets> found = new TreeMap<>();
          splits.forEach(split -> found.put(split, broker.partition(split).offsets()));
          return found;
        });
  }

  @Override
  public Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time) {
    return read(
        "find offsets by time of",
        splits,
        () -> {
          TreeMap<Split, Long> found = new TreeMap<>();
          splits.forEach(
              split -> found.put(split, broker.partition(split).offsetAt(time.toEpochMilli())));
          return found;
        });
  }

  @Override
  public Map<Split, Long> committedPositions(String group) {
    return read("find positions of group", group, () -> broker.groups.positions(group, true));
  }

  @Override
  public Map<Split, Long> positionsOfOthers(String group) {
    return read("find positions of group", group, () -> broker.groups.positions(group, false));
  }

  @Override
  public SplitReader reader(String clientId) {
    requireUsable();
    ModelReader reader = new ModelReader(link, batches, seed.fork(clientId));
    opened.add(reader::close);
    return reader;
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    requireUsable();
    ModelWriter writer = new ModelWriter(link, transactionalId, timeout);
    opened.add(writer::close);
    return writer;
  }

  @Override
  public void fence(Collection<String> transactionalIds) {
    TreeSet<String> ids = new TreeSet<>(transactionalIds);
    change("fence", ids, () -> ids.forEach(broker.coordinator::fence));
  }

  @Override
  public List<String> transactionalIds(String prefix) {
    return read("find transactional ids of", prefix, () -> broker.coordinator.ids(prefix));
  }

  @Override
  public List<OpenTransaction> openTransactions(Split split) {
    return read(
        "find open transactions of",
        split,
        () -> broker.partition(split).openTransactions(Coordinator.EPOCH));
  }

  @Override
  public void abortHanging(Split split, OpenTransaction transaction) {
    change(
        "abort",
        transaction,
        () -> {
          ModelPartition partition = broker.partition(split);
          PartitionTransaction open = partition.openOf(transaction.producerId());
          if (open != null && open.firstOffset == transaction.firstOffset()) {
            partition.end(transaction.producerId(), transaction.epoch(), false);
          }
        });
  }

  @Override
  public void deleteBefore(Map<Split, Long> offsets) {
    TreeMap<Split, Long> ordered = new TreeMap<>(offsets);
    change(
        "delete before",
        ordered,
        () -> {
          ordered.forEach(this::requireDeletable);
          ordered.forEach((split, offset) -> broker.partition(split).deleteBefore(offset));
        });
  }

  private void requireDeletable(Split split, long offset) {
    ModelPartition partition = broker.partition(split);
    if (!partition.topic.deletes() || offset > partition.end()) {
      throw new LogException(
          Kind.REFUSED,
          split,
          "Records of "
              + split
              + " cannot be deleted below "
              + offset
              + ": its end is "
              + partition.end()
              + ", its cleanup.policy "
              + partition.topic.cleanupPolicy()
              + ".",
          null);
    }
  }

  @Override
  public void close() {
    closed = true;
    if (life == link.life()) {
      opened.forEach(Runnable::run);
    }
    opened.clear();
  }

  private <T> T read(String verb, Object subject, Supplier<T> action) {
    requireUsable();
    return link.call(life, Link.Effect.READS, verb, subject, action);
  }

  private void change(String verb, Object subject, Runnable action) {
    requireUsable();
    link.call(
        life,
        Link.Effect.CHANGES,
        verb,
        subject,
        () -> {
          action.run();
          return true;
        });
  }

  private void requireUsable() {
    link.requireAlive(life);
    if (closed) {
      throw new IllegalStateException("This log is closed.");
    }
  }
}
