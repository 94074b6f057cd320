package dev.millrace;

import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.TopicChoice;
import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.settings.ErrorConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the topics that match an application's input patterns when it is started.
///
/// All processes of one version of an application must read the same topics, for each task may be
/// any process's. So a process that is started while others run reads the topics of the last
/// recorded plan, and only one that is started alone adds new topics.
final class TopicPatterns {
  private static final Logger LOG = LoggerFactory.getLogger(TopicPatterns.class);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final ApplicationName application;
  private final TopologyGraph graph;
  private final Log log;
  private final Clock clock = Clock.system();
  private final Set<String> own = new TreeSet<>();
  private final List<TopicChoice> chosen = new ArrayList<>();

  TopicPatterns(ApplicationName application, TopologyGraph graph, ErrorConfig errors, Log log) {
    this.application = application;
    this.graph = graph;
    this.log = log;
    own.add(Plan.membersTopic(application.storage()));
    own.add(Plan.placementTopic(application.storage()));
    own.add(errors.deadLetterTopic());
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Output output) {
        LogTopics<?> topics = output.sink().topics();
        if (topics != null) {
          chosen.add(topics.choice());
        } else {
          own.add(output.sink().stream());
        }
      }
    }
  }

  /// Returns whether no process of the application runs. Waits for signs of life of those that have
  /// not said that they end.
  private boolean isAlone(SortedSet<String> names) {
    String storage = application.storage();
    return !names.contains(Plan.membersTopic(storage))
        || new Census(storage, log, clock, TopicPatterns::pause).living().isEmpty();
  }

  private static void pause() {
    LockSupport.parkNanos(PAUSE.toNanos());
  }

  /// Returns the graph with the topics in the place of the patterns. Asks the log, if there are
  /// any.
  ///
  /// @throws JobStartException if no topic matches one of them
  TopologyGraph resolved() {
    if (graph.patterns().isEmpty()) {
      return graph;
    }
    SortedSet<String> names = log.topicNames();
    SortedSet<String> before = new TreeSet<>();
    if (names.contains(VersionLog.topic(application.storage()).name())) {
      PlanDescription recorded =
          VersionLog.recorded(application.storage(), log, clock, Thread::onSpinWait).plan();
      before.addAll(recorded == null ? Set.of() : recorded.inputs());
    }
    boolean alone = isAlone(names);
    IdentityHashMap<LogTopics<?>, Collection<String>> found = new IdentityHashMap<>();
    List<String> problems = new ArrayList<>();
    for (LogTopics<?> pattern : graph.patterns()) {
      SortedSet<String> topics = found(pattern.choice(), names, before, alone);
      if (topics.isEmpty()) {
        problems.add(
            "No topic matches '%s', an input pattern of application '%s'. Create a topic, for example with 'millrace topics create NAME --partitions 4', or correct the pattern."
                .formatted(pattern.choice().text(), application.name()));
      }
      found.put(pattern, topics);
    }
    if (!problems.isEmpty()) {
      throw new JobStartException(String.join("\n", problems));
    }
    return graph.withTopics(pattern -> found.getOrDefault(pattern, List.of()));
  }

  private SortedSet<String> found(
      TopicChoice pattern, SortedSet<String> names, SortedSet<String> before, boolean alone) {
    SortedSet<String> now = matching(pattern, names);
    // One that is gone is missed, like any topic that has been read.
    SortedSet<String> known = matching(pattern, before);
    if (alone || known.isEmpty()) {
      now.addAll(known);
      LOG.info(
          "'{}' reads the topics {}, which match '{}'.", application.name(), now, pattern.text());
      return now;
    }
    now.removeAll(known);
    for (String topic : now) {
      LOG.warn(
          "{} Other processes of '{}' may be running without it.",
          unread(topic, pattern.text()),
          application.name());
    }
    return known;
  }

  private SortedSet<String> matching(TopicChoice pattern, Set<String> names) {
    SortedSet<String> found = new TreeSet<>();
    for (String name : names) {
      if (pattern.has(name) && !isOwn(name)) {
        found.add(name);
      }
    }
    return found;
  }

  private boolean isOwn(String topic) {
    return own.contains(topic)
        || Planner.internal(application.storage(), topic) != null
        || Planner.internal(application.name(), topic) != null
        || chosen.stream().anyMatch(choice -> choice.has(topic));
  }

  /// Returns the topics that match and are not read, and the pattern of each. Asks the log, if
  /// there are patterns.
  ///
  /// @param plan that runs
  SortedMap<String, String> unread(Plan plan) {
    SortedMap<String, String> unread = new TreeMap<>();
    List<? extends LogTopics<?>> patterns = graph.patterns();
    if (patterns.isEmpty()) {
      return unread;
    }
    SortedSet<String> names = log.topicNames();
    names.removeAll(plan.description().inputs());
    for (LogTopics<?> pattern : patterns) {
      for (String topic : matching(pattern.choice(), names)) {
        unread.put(topic, pattern.choice().text());
      }
    }
    return unread;
  }

  /// Describes a topic that is not read.
  static String unread(String topic, String pattern) {
    return "Topic '%s' matches '%s' but is not read. It is read after all processes of the application were stopped and started again."
        .formatted(topic, pattern);
  }
}
