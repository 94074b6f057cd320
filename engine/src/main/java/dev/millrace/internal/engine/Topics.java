package dev.millrace.internal.engine;

import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.TopicChoice;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.SizeLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// The topics that a plan needs, and what is wrong with those there are.
public final class Topics {
  private static final String CLEANUP = "cleanup.policy";
  private static final String TIMES = "message.timestamp.type";
  private static final String LARGEST = "max.message.bytes";

  /// Settings that a topic is created with, and that may be changed.
  private static final List<String> HOUSEKEEPING = List.of("segment.ms", "delete.retention.ms");

  private Topics() {}

  /// Every topic that a plan reads or writes.
  static Set<String> names(Plan plan, ErrorConfig errors) {
    Set<String> names = new LinkedHashSet<>(internal(plan, errors).keySet());
    for (Plan.Stage stage : plan.stages()) {
      stage.inputs().forEach(input -> names.add(input.stream()));
    }
    names.addAll(sinks(plan));
    return names;
  }

  /// The topics that the application's own results go to, without those that records choose of a
  /// pattern.
  static Set<String> sinks(Plan plan) {
    Set<String> names = new LinkedHashSet<>();
    for (Node.Output output : outputs(plan)) {
      if (output.sink().topics() == null) {
        names.add(output.sink().stream());
      }
    }
    return names;
  }

  private static List<Node.Output> outputs(Plan plan) {
    List<Node.Output> outputs = new ArrayList<>();
    for (Plan.Stage stage : plan.stages()) {
      for (Node node : stage.nodes()) {
        if (node instanceof Node.Output output) {
          outputs.add(output);
        }
      }
    }
    return outputs;
  }

  /// Which topics the application's own results go to, and those that records choose.
  static Predicate<String> ofResults(Plan plan, ErrorConfig errors) {
    Set<String> named = sinks(plan);
    Set<String> internal = internal(plan, errors).keySet();
    List<TopicChoice> patterns = new ArrayList<>();
    for (Node.Output output : outputs(plan)) {
      LogTopics<?> topics = output.sink().topics();
      if (topics != null) {
        patterns.add(topics.choice());
      }
    }
    return topic ->
        named.contains(topic)
            || (!internal.contains(topic)
                && patterns.stream().anyMatch(pattern -> pattern.has(topic)));
  }

  /// The topics that belong to the application, and their partitions.
  static Map<String, Integer> internal(Plan plan, ErrorConfig errors) {
    Map<String, Integer> topics = new LinkedHashMap<>();
    for (TopicSpec spec : needed(plan, errors)) {
      topics.put(spec.name(), spec.partitions());
    }
    return topics;
  }

  /// How the topics that belong to the application must be.
  public static List<TopicSpec> needed(Plan plan, ErrorConfig errors) {
    List<TopicSpec> specs = new ArrayList<>();
    SizeLimits sizes = plan.sizes();
    Map<String, String> changelog = compacted();
    int value = plan.stores().mapToInt(plan::largestValue).max().orElse(0);
    changelog.put(LARGEST, batch(sizes.keyBytes() + value));
    specs.add(new TopicSpec(plan.changelogTopic(), plan.slots(), -1, changelog));
    specs.add(new TopicSpec(plan.claimsTopic(), 1, -1, ofClaims()));
    for (Plan.Exchange exchange : plan.exchanges()) {
      Map<String, String> kept = ofExchanges();
      kept.put(LARGEST, batch(sizes.ofRecords(exchange.node().name())));
      specs.add(new TopicSpec(exchange.topic(), exchange.partitions(), -1, kept));
    }
    if (errors.onError() == OnError.DEAD_LETTER) {
      Map<String, String> letters = new TreeMap<>();
      // When it was written decides for how long a letter is kept; and Kafka would refuse one of a
      // host whose clock is an hour ahead.
      letters.put(TIMES, "LogAppendTime");
      specs.add(new TopicSpec(errors.deadLetterTopic(), 1, -1, letters));
    }
    return specs;
  }

  /// Claims are withdrawn as tasks move, and each start reads what is left: so they are compacted
  /// soon.
  private static Map<String, String> ofClaims() {
    Map<String, String> claims = compacted();
    HOUSEKEEPING.forEach(setting -> claims.put(setting, "3600000"));
    return claims;
  }

  private static String batch(int recordBytes) {
    return Integer.toString(SizeLimits.batchBytes(recordBytes));
  }

  private static Map<String, String> compacted() {
    Map<String, String> settings = anyTime();
    settings.put(CLEANUP, "compact");
    return settings;
  }

  /// Lets a record have any time, whatever the broker's clock says: those of writers may be wrong,
  /// and event time lies far back or ahead.
  private static Map<String, String> anyTime() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
    settings.put("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    return settings;
  }

  /// The settings of an exchange, but for the largest record, which follows from the configuration.
  /// Nobody else gives a topic these together.
  public static Map<String, String> ofExchanges() {
    Map<String, String> settings = anyTime();
    settings.put(CLEANUP, "delete");
    // What was read is deleted by the job; what was not must never expire.
    settings.put("retention.ms", "-1");
    settings.put("retention.bytes", "-1");
    // A record's time is that of its event.
    settings.put(TIMES, "CreateTime");
    return settings;
  }

  /// What is wrong with those of the topics that exist: topic, setting, found and wanted value, and
  /// the way out, which is nothing that cannot be taken back.
  ///
  /// @param existing by name
  public static List<String> problems(Map<String, TopicInfo> existing, List<TopicSpec> wanted) {
    List<String> problems = new ArrayList<>();
    for (TopicSpec spec : wanted) {
      TopicInfo info = existing.get(spec.name());
      if (info != null) {
        problems.addAll(problems(spec, info));
      }
    }
    return problems;
  }

  /// Those of the topics that do not exist.
  public static List<TopicSpec> missing(Log log, List<TopicSpec> wanted) {
    Map<String, TopicInfo> existing = log.topics(wanted.stream().map(TopicSpec::name).toList());
    return wanted.stream().filter(spec -> !existing.containsKey(spec.name())).toList();
  }

  private static boolean takes(String actual, String wanted) {
    return actual.matches("[0-9]{1,10}") && Long.parseLong(actual) >= Long.parseLong(wanted);
  }

  /// What is wrong with a topic.
  private static List<String> problems(TopicSpec wanted, TopicInfo found) {
    List<String> problems = new ArrayList<>();
    if (wanted.partitions() > 0 && found.partitions() != wanted.partitions()) {
      problems.add(
          "Topic '%s' has %d partitions, but the application declares %d. Do not add any, because that cannot be undone: declare .partitions(%2$d) in the application, or use another topic."
              .formatted(wanted.name(), found.partitions(), wanted.partitions()));
    }
    wanted
        .settings()
        .forEach((name, value) -> {
          String actual = found.settings().getOrDefault(name, "(none)");
          if (name.equals(LARGEST)) {
            if (!takes(actual, value)) {
              problems.add(
                  "Topic '%s' has %s=%s, but must have %s or more, for the largest values and records that the configuration allows. Change it: kafka-configs.sh --alter --topic %s --add-config %s=%s"
                      .formatted(wanted.name(), name, actual, value, wanted.name(), name, value));
            }
          } else if (!actual.equals(value) && !HOUSEKEEPING.contains(name)) {
            problems.add(
                "Topic '%1$s' has %2$s=%3$s, but must have %4$s. Change it: kafka-configs.sh --alter --topic %1$s --add-config %2$s=%4$s"
                    .formatted(wanted.name(), name, actual, value));
          }
        });
    return problems;
  }
}
