package dev.millrace.internal.memory;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.WriterId;
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

/// The log over a [MemoryStore].
final class MemoryLog implements Log {
  private final MemoryStore store;
  private final BatchPool pool;

  MemoryLog(MemoryStore store, BatchPool pool) {
    this.store = store;
    this.pool = pool;
  }

  private <T> T locked(Supplier<T> action) {
    store.lock().lock();
    try {
      return action.get();
    } finally {
      store.lock().unlock();
    }
  }

  private void change(Runnable action) {
    store.lock().lock();
    try {
      action.run();
    } finally {
      store.lock().unlock();
    }
  }

  @Override
  public String clusterId() {
    return store.id();
  }

  @Override
  public Map<String, TopicInfo> topics(Collection<String> names) {
    return locked(() -> {
      Map<String, TopicInfo> found = new TreeMap<>();
      for (String name : names) {
        Topic topic = store.topics().get(name);
        if (topic != null) {
          found.put(name, topic.info());
        }
      }
      return found;
    });
  }

  @Override
  public SortedSet<String> topicNames() {
    return locked(() -> new TreeSet<>(store.topics().keySet()));
  }

  @Override
  public void createTopics(Collection<TopicSpec> specs) {
    change(() -> specs.forEach(store::createTopic));
  }

  @Override
  public void addPartitions(String topic, int partitions) {
    change(() -> store.topic(topic).grow(partitions));
  }

  @Override
  public void changeSettings(String topic, Map<String, String> settings) {
    change(() -> store.topic(topic).change(settings));
  }

  @Override
  public Map<Split, Offsets> offsets(Collection<Split> splits) {
    return locked(() -> {
      Map<Split, Offsets> found = new TreeMap<>();
      splits.forEach(split -> found.put(split, store.partition(split).offsets()));
      return found;
    });
  }

  @Override
  public Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time) {
    return locked(() -> {
      Map<Split, Long> found = new TreeMap<>();
      splits.forEach(
          split -> found.put(split, store.partition(split).offsetAt(time.toEpochMilli())));
      return found;
    });
  }

  @Override
  public Map<Split, Long> committedPositions(String group) {
    return locked(() -> store.writers().positions(group));
  }

  /// Returns nothing: there are no other tools.
  @Override
  public Map<Split, Long> positionsOfOthers(String group) {
    return Map.of();
  }

  @Override
  public SplitReader reader(String clientId) {
    return new MemoryReader(store, pool);
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    return new MemoryWriter(store, transactionalId, timeout);
  }

  @Override
  public void fence(Collection<String> transactionalIds) {
    change(() -> transactionalIds.forEach(store.writers()::fence));
  }

  @Override
  public List<String> transactionalIds(String prefix) {
    return locked(() -> store.writers().ids(prefix));
  }

  @Override
  public List<OpenTransaction> openTransactions(Split split) {
    return locked(() -> {
      List<OpenTransaction> found = new ArrayList<>();
      store
          .partition(split)
          .open()
          .forEach((transaction, first) -> {
            WriterId writer = transaction.writer().writer();
            found.add(
                new OpenTransaction(
                    writer.producerId(), writer.epoch(), 0, first, writer.transactionalId()));
          });
      return found;
    });
  }

  @Override
  public void abortHanging(Split split, OpenTransaction hanging) {
    change(() -> {
      Partition partition = store.partition(split);
      for (Map.Entry<Transaction, Long> open : List.copyOf(partition.open().entrySet())) {
        if (open.getKey().writer().writer().producerId() == hanging.producerId()
            && open.getValue() == hanging.firstOffset()) {
          partition.end(open.getKey(), false);
        }
      }
    });
  }

  @Override
  public void deleteBefore(Map<Split, Long> offsets) {
    change(() -> {
      offsets.forEach((split, offset) -> requireDeletable(store.partition(split), offset));
      offsets.forEach((split, offset) -> store.partition(split).deleteBefore(offset));
    });
  }

  private static void requireDeletable(Partition partition, long offset) {
    if (!partition.topic().settings().deletes()) {
      throw refused(partition, offset, "its topic is only compacted");
    }
    if (offset > partition.stableEnd()) {
      throw refused(partition, offset, "its stable end is " + partition.stableEnd());
    }
  }

  private static LogException refused(Partition partition, long offset, String why) {
    return new LogException(
        Kind.REFUSED,
        partition.split(),
        "Records of %s cannot be deleted below %d: %s.".formatted(partition.split(), offset, why),
        null);
  }

  /// Does nothing: the store lives on.
  @Override
  public void close() {}
}
