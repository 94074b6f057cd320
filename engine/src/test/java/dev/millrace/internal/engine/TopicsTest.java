package dev.millrace.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.OnError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What topics must be like, whole: a setting that is missing is as wrong as one too much.
class TopicsTest {
  private static final String FOREVER = "9223372036854775807";

  private static final Map<String, String> COMPACTED =
      Map.of(
          "cleanup.policy", "compact",
          "message.timestamp.before.max.ms", FOREVER,
          "message.timestamp.after.max.ms", FOREVER);

  /// When what is written is compacted, which the one who runs the brokers may change.
  private static final Set<String> HOUSEKEEPING = Set.of("segment.ms", "delete.retention.ms");

  private static final Map<String, String> CLAIMS =
      Map.of(
          "cleanup.policy", "compact",
          "segment.ms", "3600000",
          "delete.retention.ms", "3600000",
          "message.timestamp.before.max.ms", FOREVER,
          "message.timestamp.after.max.ms", FOREVER);

  private static final Map<String, String> EXCHANGE =
      Map.of(
          "cleanup.policy", "delete",
          "retention.ms", "-1",
          "retention.bytes", "-1",
          "message.timestamp.type", "CreateTime",
          "message.timestamp.before.max.ms", FOREVER,
          "message.timestamp.after.max.ms", FOREVER);

  private static final class Counting implements StreamApplication {
    @Override
    public String name() {
      return "app";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").value(Serdes.string()))
          .groupBy("by-text", text -> text)
          .count("n")
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.longs()));
    }
  }

  private static List<TopicSpec> needed(OnError badInput) {
    Plan plan = Planner.plan("app", TopologyGraph.of(new Counting()), Map.of("in", 3));
    return Topics.needed(
        plan, ErrorConfig.defaults().withOnError(badInput).withDeadLetterTopic("letters"));
  }

  @Test
  void theTopicsOfAnApplicationAreTheseAndNoOthers() {
    List<TopicSpec> expected =
        List.of(
            new TopicSpec("app-changelog", 6, -1, with(COMPACTED, "1048588")),
            new TopicSpec("app-claims", 1, -1, CLAIMS),
            new TopicSpec("app.by-text-exchange", 3, -1, with(EXCHANGE, "1069056")));
    assertEquals(expected, needed(OnError.FAIL));
    assertEquals(expected, needed(OnError.SKIP));
    List<TopicSpec> withLetters = new ArrayList<>(expected);
    withLetters.add(
        new TopicSpec("letters", 1, -1, Map.of("message.timestamp.type", "LogAppendTime")));
    assertEquals(withLetters, needed(OnError.DEAD_LETTER));
    assertEquals(EXCHANGE, Topics.ofExchanges());
  }

  /// The settings of a topic whose batches may have so many bytes.
  private static Map<String, String> with(Map<String, String> settings, String batchBytes) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("max.message.bytes", batchBytes);
    return all;
  }

  /// Each setting of each topic is compared with what is there, but for those that say when it is
  /// compacted.
  @Test
  void everySettingThatDiffersIsAProblem() {
    for (TopicSpec wanted : needed(OnError.DEAD_LETTER)) {
      Map<String, String> found = new TreeMap<>(wanted.settings());
      found.put("segment.bytes", "1");
      assertEquals(List.of(), problems(wanted, wanted.partitions(), found));
      assertEquals(1, problems(wanted, wanted.partitions() + 1, found).size());
      for (String setting : wanted.settings().keySet()) {
        Map<String, String> other = new TreeMap<>(found);
        other.put(setting, "17");
        if (HOUSEKEEPING.contains(setting)) {
          assertEquals(List.of(), problems(wanted, wanted.partitions(), other));
          continue;
        }
        List<String> problems = problems(wanted, wanted.partitions(), other);
        assertEquals(
            List.of(
                "Topic '%1$s' has %2$s=17, but must have %3$s%4$s. Change it: kafka-configs.sh --alter --topic %1$s --add-config %2$s=%3$s"
                    .formatted(
                        wanted.name(),
                        setting,
                        wanted.settings().get(setting),
                        setting.equals("max.message.bytes")
                            ? " or more, for the largest values and records that the configuration"
                                + " allows"
                            : "")),
            problems);
        other.remove(setting);
        assertEquals(1, problems(wanted, wanted.partitions(), other).size());
      }
    }
  }

  private static List<String> problems(
      TopicSpec wanted, int partitions, Map<String, String> settings) {
    return Topics.problems(
        Map.of(wanted.name(), new TopicInfo(wanted.name(), "id", partitions, settings)),
        List.of(wanted));
  }
}
