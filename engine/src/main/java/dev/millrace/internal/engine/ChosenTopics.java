package dev.millrace.internal.engine;

import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.chain.Chains;
import dev.millrace.internal.engine.chain.SinkTopic;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.sources.InputPartitions;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.settings.ErrorConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The topics that records choose of a pattern while the job runs: each is looked at once, as those
/// of other sinks are at the start, and created if it may be. Thread-safe.
final class ChosenTopics implements Chains.Chosen {
  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /// So long one that does not exist is not looked for again.
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private static final int MOST_MISSING = 1_000;

  private final String application;
  private final String storage;
  private final Set<String> own;
  private final Log log;
  private final Clock clock;
  private final InputPartitions partitions;
  private final Map<Choice, SinkTopic> known = new ConcurrentHashMap<>();

  /// When it was looked for those that could not be written to, and why.
  private final Map<Choice, Refused> refused = new HashMap<>();

  private record Choice(LogTopics<? extends Sink<?, ?>> topics, String topic) {}

  private record Refused(long atNanos, String reason) {}

  /// @param partitions is told of each
  ChosenTopics(Plan plan, ErrorConfig errors, Log log, Clock clock, InputPartitions partitions) {
    application = plan.application();
    storage = plan.storage();
    own = Topics.internal(plan, errors).keySet();
    this.log = log;
    this.clock = clock;
    this.partitions = partitions;
  }

  @Override
  public SinkTopic find(LogTopics<? extends Sink<?, ?>> topics, String topic) {
    Choice choice = new Choice(topics, topic);
    SinkTopic found = known.get(choice);
    if (found == null) {
      found = look(choice);
      known.put(choice, found);
    }
    return found;
  }

  private synchronized SinkTopic look(Choice choice) {
    Refused before = refused.get(choice);
    if (before != null && clock.nanos() - before.atNanos < AGAIN.toNanos()) {
      throw refused(choice, before.reason);
    }
    String impossible = impossible(choice.topic);
    if (impossible != null) {
      throw refused(choice, impossible);
    }
    TopicSettings settings = choice.topics.settings();
    TopicSpec spec = new TopicSpec(choice.topic, settings.partitions(), -1, settings.settings());
    TopicInfo info = info(choice.topic);
    if (info == null && settings.partitions() > 0) {
      log.createTopic(spec);
      info = info(choice.topic);
    }
    if (info == null) {
      throw missing(
          choice,
          "it does not exist. Create it, for example with 'millrace topics create %s --partitions 4', or declare partitions(n) for '%s', so that it is created when a record first chooses it"
              .formatted(choice.topic, choice.topics.choice().text()));
    }
    Map<String, TopicInfo> found = new HashMap<>();
    found.put(info.name(), info);
    List<String> problems = Topics.problems(found, List.of(spec));
    if (!problems.isEmpty()) {
      throw missing(choice, "it differs from its description. " + String.join(" ", problems));
    }
    refused.remove(choice);
    partitions.written(info.name(), info.partitions());
    return SinkTopic.of(info);
  }

  private @Nullable TopicInfo info(String topic) {
    return log.topics(List.of(topic)).get(topic);
  }

  /// Why no topic of that name can be written to; null if one can.
  private @Nullable String impossible(String topic) {
    if (!LEGAL.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
      return "a topic's name is 1 to 249 letters of 'a' to 'z' and 'A' to 'Z', digits, '.', '_' and"
          + " '-'";
    }
    String reason = Planner.internal(storage, topic);
    if (reason == null) {
      reason = Planner.internal(application, topic);
    }
    if (reason == null
        && (own.contains(topic)
            || topic.equals(Plan.membersTopic(storage))
            || topic.equals(Plan.placementTopic(storage)))) {
      return "it is an internal topic of the application";
    }
    return reason;
  }

  private SerdeException missing(Choice choice, String reason) {
    if (refused.size() >= MOST_MISSING) {
      refused.clear();
    }
    refused.put(choice, new Refused(clock.nanos(), reason));
    return refused(choice, reason);
  }

  private static SerdeException refused(Choice choice, String reason) {
    return new SerdeException(
        "The record is routed to topic '%s', which cannot be written to: %s."
            .formatted(choice.topic, reason));
  }
}
