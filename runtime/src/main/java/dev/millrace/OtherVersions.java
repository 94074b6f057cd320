package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says which containers of the application run another version of the program, and which topics
/// are therefore read for a part of their partitions only. What the other versions read is looked
/// up on a separate thread, so that no other thread waits for the log.
final class OtherVersions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OtherVersions.class);

  /// The pause between two attempts to read what the other versions are.
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final String application;
  private final PlanDescription own;
  private final Supplier<Map<String, PlanDescription>> recorded;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private volatile SortedMap<String, String> told = Collections.emptySortedMap();
  private volatile SortedMap<String, Integer> partlyRead = Collections.emptySortedMap();
  private volatile boolean closed;
  private long notBeforeNanos = System.nanoTime();

  /// @param own the plan of this process
  /// @param recorded reads the recorded plans of the application from the log, by their hashes
  OtherVersions(
      String application, PlanDescription own, Supplier<Map<String, PlanDescription>> recorded) {
    this.application = application;
    this.own = own;
    this.recorded = recorded;
  }

  /// Begins to look up what other versions are, if they are not those of the last call. Called by
  /// one thread.
  ///
  /// @param now by container, the plan of each that runs another version
  void look(SortedMap<String, String> now) {
    if (now.equals(told) || System.nanoTime() - notBeforeNanos < 0) {
      return;
    }
    if (underWay.compareAndSet(false, true)) {
      notBeforeNanos = System.nanoTime() + RETRY.toNanos();
      Thread.ofVirtual().name("millrace-versions").start(() -> ask(now));
    }
  }

  private void ask(SortedMap<String, String> now) {
    try {
      Map<String, PlanDescription> plans = now.isEmpty() ? Map.of() : recorded.get();
      SortedMap<String, String> before = told;
      now.forEach((container, version) -> {
        if (!version.equals(before.get(container))) {
          tell(container, version, plans.get(version));
        }
      });
      if (now.isEmpty()) {
        LOG.info("All containers of '{}' that run have one version of the program.", application);
      }
      partlyRead = count(now, plans);
      told = now;
    } catch (LogException e) {
      LOG.debug("The plans of '{}' cannot be read from Kafka now.", application, e);
    } catch (RuntimeException e) { // outermost: the end of a thread
      if (!closed) {
        LOG.warn("The plans of '{}' cannot be read from Kafka.", application, e);
      }
    } finally {
      underWay.set(false);
    }
  }

  /// @param plan of the other version; null if it is not known
  private void tell(String container, String version, @Nullable PlanDescription plan) {
    String who =
        "Container %s of '%s' runs another version of the program: plan %s, and this one has plan %s."
            .formatted(container, application, version.isEmpty() ? "unknown" : version, own.hash());
    if (plan != null && plan.inputsHash().equals(own.inputsHash())) {
      LOG.info("{}", who);
    } else {
      LOG.warn("{}{}", who, plan == null ? " It reads other topics." : waiting(container, plan));
    }
  }

  private String waiting(String container, PlanDescription plan) {
    StringBuilder text = new StringBuilder();
    Set<String> there = difference(own, plan);
    if (!there.isEmpty()) {
      text.append(" The tasks of container %s do not read %s.".formatted(container, there));
    }
    Set<String> here = difference(plan, own);
    if (!here.isEmpty()) {
      text.append(" The tasks of this container do not read %s.".formatted(here));
    }
    return text.append(
            " Where a task of the one would read them too, their partitions wait until both have"
                + " the same version.")
        .toString();
  }

  /// Returns the topics that a plan reads and another one does not.
  private static Set<String> difference(PlanDescription plan, PlanDescription other) {
    Set<String> topics = new TreeSet<>(plan.inputs());
    topics.removeAll(other.inputs());
    return topics;
  }

  private SortedMap<String, Integer> count(
      SortedMap<String, String> others, Map<String, PlanDescription> plans) {
    List<PlanDescription> running = new ArrayList<>(List.of(own));
    for (String version : others.values()) {
      PlanDescription plan = plans.get(version);
      if (plan != null) {
        running.add(plan);
      }
    }
    Set<String> topics = new TreeSet<>();
    running.forEach(plan -> topics.addAll(plan.inputs()));
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (String topic : topics) {
      int without = (int) running.stream().filter(plan -> !plan.inputs().contains(topic)).count();
      if (without > 0) {
        counts.put(topic, without);
      }
    }
    return Collections.unmodifiableSortedMap(counts);
  }

  /// Returns the topics that some containers read and others do not. Thread-safe.
  MetricFamily family() {
    List<Point> points = new ArrayList<>();
    partlyRead.forEach((topic, count) -> points.add(new Point(Map.of("topic", topic), count)));
    return new MetricFamily(
        "millrace_partly_read_topics",
        Kind.GAUGE,
        "Running containers whose version of the program does not read a topic that the version of"
            + " another one reads; partitions that their tasks would read wait.",
        points);
  }

  /// Ends the watch. Answers of pending requests are ignored.
  @Override
  public void close() {
    closed = true;
  }
}
