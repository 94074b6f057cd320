package dev.millrace.internal.memory;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a log in memory holds: topics, writers, positions of groups. It is gone with its process.
/// Thread-safe.
///
/// It has a thread for what happens by itself: it aborts transactions that take too long, and
/// compacts partitions. [#close] ends it.
public final class MemoryStore implements AutoCloseable {
  private static final long LOOK_MILLIS = 200;
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private final String id = "memory-" + UUID.randomUUID();
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final TopicSettings defaults = TopicSettings.defaults();
  private final BatchPool pool = new BatchPool();
  private final Cleaner cleaner;
  private final LinkedBlockingQueue<Partition> due = new LinkedBlockingQueue<>();
  private final SortedMap<String, Topic> topics = new TreeMap<>();
  private final Writers writers;
  private final Thread thread;
  private volatile boolean closed;

  /// Creates a store without topics.
  public MemoryStore() {
    this(Clock.system());
  }

  MemoryStore(Clock clock) {
    this.clock = clock;
    cleaner = new Cleaner(lock, clock);
    writers = new Writers(clock);
    thread = Thread.ofPlatform().daemon().name("millrace-memory-log").start(this::run);
  }

  /// Returns a log over this store. Closing that does not close the store.
  public Log connect() {
    return new MemoryLog(this, pool);
  }

  /// Deletes a topic with its records; whoever reads it is told so. Does nothing if there is none.
  public void deleteTopic(String name) {
    lock.lock();
    try {
      Topic topic = topics.remove(name);
      if (topic != null) {
        topic.delete();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Returns the memory that all records take, in bytes.
  public long bytes() {
    lock.lock();
    try {
      return topics.values().stream()
          .flatMap(topic -> topic.partitions().stream())
          .mapToLong(Partition::bytes)
          .sum();
    } finally {
      lock.unlock();
    }
  }

  String id() {
    return id;
  }

  Clock clock() {
    return clock;
  }

  Lock lock() {
    return lock;
  }

  // All of these are to be called under the lock.

  SortedMap<String, Topic> topics() {
    return topics;
  }

  Writers writers() {
    return writers;
  }

  void createTopic(TopicSpec spec) {
    if (topics.containsKey(spec.name())) {
      return;
    }
    if (!NAME.matcher(spec.name()).matches()) {
      throw new LogException(
          Kind.REFUSED,
          "A topic cannot be named '%s': use up to 249 of the characters a-z, A-Z, 0-9, '.', '_' and '-'."
              .formatted(spec.name()));
    }
    if (spec.partitions() < 1) {
      throw new LogException(
          Kind.REFUSED,
          "Topic '%s' cannot have %d partitions: it needs at least one."
              .formatted(spec.name(), spec.partitions()));
    }
    Topic topic = new Topic(spec.name(), defaults.with(spec.name(), spec.settings()));
    topic.grow(spec.partitions());
    topics.put(spec.name(), topic);
  }

  /// @throws LogException of kind `MISSING` if there is no such topic
  Topic topic(String name) {
    Topic topic = topics.get(name);
    if (topic == null) {
      throw new LogException(
          Kind.MISSING,
          "Topic '%s' does not exist in the log of this process. Create it before it is used."
              .formatted(name));
    }
    return topic;
  }

  /// @throws LogException of kind `MISSING` if there is no such partition
  Partition partition(Split split) {
    Topic topic = topics.get(split.stream());
    Partition partition = topic == null ? null : topic.partition(split.partition());
    if (partition == null) {
      throw new LogException(Kind.MISSING, split, missing(split, topic), null);
    }
    return partition;
  }

  private static String missing(Split split, @Nullable Topic topic) {
    return topic == null
        ? "Partition %s does not exist in the log of this process: there is no topic '%s'. Create it before it is used."
            .formatted(split, split.stream())
        : "Partition %s does not exist in the log of this process: topic '%s' has %d partitions."
            .formatted(split, split.stream(), topic.partitions().size());
  }

  /// Has partitions compacted that need it.
  ///
  /// @return one for which whoever writes has to wait, outside the lock, with [#compact]; null if
  ///   there is none
  @Nullable Partition written(Iterable<Partition> partitions) {
    Partition overdue = null;
    for (Partition partition : partitions) {
      if (partition.isDirty() && partition.compaction().queue()) {
        due.add(partition);
      }
      if (partition.isOverdue()) {
        overdue = partition;
      }
    }
    return overdue;
  }

  /// Compacts a partition; to be called without the lock.
  void compact(Partition partition) {
    cleaner.clean(partition);
  }

  private void run() {
    while (!closed) {
      try {
        Partition partition = due.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (partition != null) {
          cleaner.clean(partition);
        }
      } catch (InterruptedException _) {
        return; // it is closed
      }
      lock.lock();
      try {
        writers.expire();
      } finally {
        lock.unlock();
      }
    }
  }

  /// Ends the thread of the store. What it holds can still be read.
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
