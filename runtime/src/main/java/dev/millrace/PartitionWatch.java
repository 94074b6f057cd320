package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.sources.InputPartitions;
import dev.millrace.internal.engine.sources.InputPartitions.Changed;
import dev.millrace.internal.engine.sources.InputPartitions.Effect;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks regularly, while a job runs, whether partitions were added to its topics, and whether
/// there are new topics that match its input patterns. The log is asked on a separate thread, so
/// that no other thread waits.
final class PartitionWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionWatch.class);

  /// A producer of Kafka's own finds new partitions within five minutes, or when it is started.
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final InputPartitions partitions;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private final Supplier<SortedMap<String, String>> patterns;
  private volatile List<Changed> changed = List.of();
  private volatile SortedMap<String, String> unread = Collections.emptySortedMap();
  private volatile boolean closed;
  private long lookedNanos;

  /// @param patterns asks for the topics that match a pattern by which the job reads, and are not
  ///   read, by the pattern
  PartitionWatch(InputPartitions partitions, Supplier<SortedMap<String, String>> patterns) {
    this.partitions = partitions;
    this.patterns = patterns;
    lookedNanos = System.nanoTime();
  }

  /// Begins to ask the log, if it is time. Called by one thread.
  void look() {
    long now = System.nanoTime();
    if (now - lookedNanos >= EVERY.toNanos() && underWay.compareAndSet(false, true)) {
      lookedNanos = now;
      Thread.ofVirtual().name("millrace-partitions").start(this::ask);
    }
  }

  private void ask() {
    try {
      List<Changed> found = partitions.look();
      List<Changed> before = changed;
      for (Changed each : found) {
        if (!before.contains(each)) {
          tell(each);
        }
      }
      changed = found;
      SortedMap<String, String> matching = patterns.get();
      matching.forEach((topic, pattern) -> {
        if (!unread.containsKey(topic)) {
          LOG.warn("{}", TopicPatterns.unread(topic, pattern));
        }
      });
      unread = matching;
    } catch (LogException e) {
      LOG.debug("The partitions of topics cannot be read from Kafka now: {}", e.getMessage());
    } catch (RuntimeException e) { // outermost: the end of a thread
      if (!closed) {
        LOG.warn("The partitions of topics cannot be read from Kafka.", e);
      }
    } finally {
      underWay.set(false);
    }
  }

  private static void tell(Changed each) {
    switch (each.effect()) {
      case READ -> LOG.info("{}", each.message());
      case LEFT -> LOG.warn("{}", each.message());
      case ENDS -> LOG.error("{}", each.message());
    }
  }

  /// Why the job has to end; null if it need not. Thread-safe.
  @Nullable String end() {
    for (Changed each : changed) {
      if (each.ends()) {
        return each.message();
      }
    }
    return null;
  }

  /// Returns the topics with partitions that were added and are not used. Thread-safe.
  MetricFamily family() {
    return new MetricFamily(
        "millrace_unplanned_partitions",
        Kind.GAUGE,
        "Partitions of a topic beyond the number that the job was planned for; they are not read.",
        points(each -> each.effect() != Effect.READ));
  }

  /// Returns the topics with partitions that were added and are read. Thread-safe.
  MetricFamily added() {
    return new MetricFamily(
        "millrace_added_partitions",
        Kind.GAUGE,
        "Partitions that were added to a topic after the job was planned; its tasks read them,"
            + " too.",
        points(each -> each.effect() == Effect.READ));
  }

  private List<Point> points(Predicate<Changed> which) {
    return changed.stream()
        .filter(which)
        .map(each -> new Point(Map.of("topic", each.topic()), each.now() - each.planned()))
        .toList();
  }

  /// Returns the topics that are not read until the next start. Thread-safe.
  MetricFamily unread() {
    Map<String, Integer> counts = new TreeMap<>();
    unread.values().forEach(pattern -> counts.merge(pattern, 1, Integer::sum));
    List<Point> points = new ArrayList<>();
    counts.forEach((pattern, count) -> points.add(new Point(Map.of("pattern", pattern), count)));
    return new MetricFamily(
        "millrace_unread_topics",
        Kind.GAUGE,
        "Topics that match a pattern of an input and are not read before the next start.",
        points);
  }

  /// Ends the watch. Answers of pending requests are ignored.
  @Override
  public void close() {
    closed = true;
  }
}
