package dev.millrace.internal.engine.plan;

import static dev.millrace.api.With.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.Records;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Windows;
import dev.millrace.api.With;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.engine.topology.TrendingTags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final KafkaSource<String> A = source("a");
  private static final KafkaSource<String> B = source("b");
  private static final KafkaKeyedSource<String, String> KA = keyedSource("ka");
  private static final KafkaKeyedSource<String, String> KB = keyedSource("kb");
  private static final KafkaKeyedSink<String, String> KB_OUT = keyedSink("kb");
  private static final KafkaSink<String> OUT = sink("out");

  static final class Copy implements Processor<String, String, String> {
    @Override
    public void process(Records<String, String> records, Output<String> out) {
      while (records.next()) {
        out.emit(records.value());
      }
    }
  }

  private static KafkaSource<String> source(String name) {
    return Kafka.source(name).value(Serdes.string());
  }

  private static KafkaSink<String> sink(String name) {
    return Kafka.sink(name).value(Serdes.string());
  }

  private static KafkaKeyedSource<String, String> keyedSource(String name) {
    return Kafka.source(name).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> keyedSink(String name) {
    return Kafka.sink(name).key(Serdes.string()).value(Serdes.string());
  }

  private static Plan plan(StreamApplication application, Map<String, Integer> streams) {
    return Planner.plan("app", TopologyGraph.of(application), streams);
  }

  @Test
  void trendingTagsHasThreeStagesAndTwoExchanges() {
    Plan plan =
        Planner.plan(
            "trending-tags", TopologyGraph.of(new TrendingTags()), Map.of("profile-updates", 4));
    assertEquals(
        List.of("0: 4 from 0", "1: 4 from 4", "2: 4 from 8"),
        plan.stages().stream()
            .map(s -> "%d: %d from %d".formatted(s.index(), s.partitions(), s.firstTask()))
            .toList());
    assertEquals(
        List.of("trending-tags.by-tag-exchange 0>1 4", "trending-tags.trending-exchange 1>2 4"),
        exchanges(plan));
    assertEquals(
        List.of("1 tag-counts", "2 tag-counts-late", "3 trending"),
        plan.stages().stream()
            .flatMap(stage -> stage.stores().stream())
            .map(store -> store.number() + " " + store.spec().name())
            .toList());
    assertEquals(12, plan.slots());
    assertEquals("1-3", plan.task(7).toString());
    for (Plan.Stage stage : plan.stages().subList(1, 3)) {
      Plan.Input input = stage.inputs().getFirst();
      assertNotNull(input.exchange());
      assertEquals(List.of(input.exchange().node()), input.heads());
    }
  }

  private static List<String> exchanges(Plan plan) {
    return plan.exchanges().stream()
        .map(e -> "%s %d>%d %d".formatted(e.topic(), e.fromStage(), e.toStage(), e.partitions()))
        .toList();
  }

  private static List<Integer> partitions(Plan plan) {
    return plan.stages().stream().map(Plan.Stage::partitions).toList();
  }

  @Test
  void everyNodeIsInOneStageBehindWhatFeedsItThere() {
    Plan plan =
        plan(
            t -> {
              var a = t.from(A);
              var grouped = a.merge(t.from(B)).groupBy("g", v -> v);
              grouped.count("c").toStream().map(c -> "" + c).to(OUT);
              grouped.stream().process("p", Copy::new).groupBy("h", v -> v).count("d");
              a.to(OUT);
            },
            Map.of("a", 2, "b", 3));
    List<Integer> seen =
        plan.stages().stream().flatMap(s -> s.nodes().stream()).map(Node::id).sorted().toList();
    for (int id = 0; id < seen.size(); id++) {
      assertEquals(id, seen.get(id));
    }
    for (Plan.Stage stage : plan.stages()) {
      List<Integer> ids = stage.nodes().stream().map(Node::id).toList();
      assertEquals(ids.stream().sorted().toList(), ids);
    }
    assertEquals(List.of(3, 3, 3), partitions(plan));
    // Both users of the group are in one stage, behind one exchange.
    assertEquals(List.of("app.g-exchange 0>1 3", "app.h-exchange 1>2 3"), exchanges(plan));
  }

  @Test
  void streamsThatNeverMeetAreStagesOfTheirOwn() {
    Plan plan =
        plan(
            t -> {
              t.from(A).to(OUT);
              t.from(B).to(OUT);
            },
            Map.of("a", 2, "b", 3));
    assertEquals(List.of(2, 3), partitions(plan));
    assertEquals(2, plan.stages().get(1).firstTask());
    assertEquals("1-0", plan.task(2).toString());
  }

  @Test
  void aStreamThatIsReadTwiceIsReadByOneStage() {
    Plan plan =
        plan(
            t -> {
              t.from(A).to(OUT);
              t.from(B).to(OUT);
              t.from(A).filter(String::isEmpty).to(OUT);
            },
            Map.of("a", 2, "b", 3));
    assertEquals(2, plan.stages().size());
    assertEquals(2, plan.stages().getFirst().inputs().getFirst().heads().size());
  }

  @Test
  void stagesStandBehindThoseThatFeedThem() {
    // The receiving stage holds the first node, since stream a is merged there.
    Plan plan =
        plan(
            t -> {
              var a = t.from(KA);
              a.merge(t.from(B).groupBy("g", v -> v).stream().process("p", Copy::new)).to(OUT);
            },
            Map.of("ka", 2, "b", 3));
    assertEquals(List.of("app.g-exchange 0>1 2"), exchanges(plan));
    assertEquals("b", plan.stages().getFirst().inputs().getFirst().stream());
    assertEquals(List.of(3, 2), partitions(plan));
  }

  @Test
  void anUnkeyedMergeTakesTheWidest() {
    Plan plan =
        plan(
            t -> {
              var grouped = t.from(B).groupBy("g", v -> v).stream().process("p", Copy::new);
              t.from(A).merge(grouped.map(v -> v)).to(OUT);
            },
            Map.of("a", 2, "b", 5));
    assertEquals(List.of("app.g-exchange 0>1 5"), exchanges(plan));
    assertEquals(List.of(5, 5), partitions(plan));
    Plan.Input narrow = plan.stages().get(1).inputs().getFirst();
    assertEquals("a", narrow.stream());
    assertEquals(2, narrow.partitions());
  }

  @Test
  void exchangesToOneStageAreEquallyWide() {
    StreamApplication application =
        t -> {
          var one = t.from(A).groupBy("one", v -> v).stream().process("p", Copy::new);
          var two = t.from(B).groupBy("two", v -> v).stream().process("q", Copy::new);
          one.merge(two).to(OUT);
        };
    Map<String, Integer> streams = Map.of("a", 2, "b", 5);
    assertEquals(
        List.of("app.one-exchange 0>2 5", "app.two-exchange 1>2 5"),
        exchanges(plan(application, streams)));
    TopologyGraph graph = TopologyGraph.of(application);
    Plan wider = Planner.plan("app", graph, streams, Map.of("one", 7));
    assertEquals(List.of("app.one-exchange 0>2 7", "app.two-exchange 1>2 7"), exchanges(wider));
    Plan narrower = Planner.plan("app", graph, streams, Map.of("two", 1));
    assertEquals(List.of(2, 5, 1), partitions(narrower));
    assertRefused(
        "Exchange 'two' is set to 3 partitions, but the stage after it has 7. Set it to 7, or"
            + " remove the setting.",
        () -> Planner.plan("app", graph, streams, Map.of("one", 7, "two", 3)));
    assertRefused(
        "Partitions are set for exchange 'three', which does not exist; there are one, two.",
        () -> Planner.plan("app", graph, streams, Map.of("three", 3)));
    assertRefused(
        "Exchange 'one' cannot have 0 partitions; give at least 1.",
        () -> Planner.plan("app", graph, streams, Map.of("one", 0)));
  }

  @Test
  void keyedStreamsThatAreMergedNeedAsManyPartitions() {
    StreamApplication application = t -> t.from(KA).merge(t.from(KB)).to(OUT);
    assertEquals(List.of(4), partitions(plan(application, Map.of("ka", 4, "kb", 4))));
    assertRefused(
        "merge has keyed streams with different numbers of partitions: 'ka' has 4 and 'kb' has 6,"
            + " so records of one key would not be in the same task. Add repartition(name) to one"
            + " of them, or give both the same number.",
        () -> plan(application, Map.of("ka", 4, "kb", 6)));
    // Without their keys they may differ.
    StreamApplication unkeyed = t -> t.from(KA).map(v -> v).merge(t.from(KB).map(v -> v)).to(OUT);
    assertEquals(List.of(6), partitions(plan(unkeyed, Map.of("ka", 4, "kb", 6))));
  }

  @Test
  void whatIsGroupedAgainIsAStreamBehindItsExchange() {
    Map<String, Integer> streams = Map.of("a", 2, "ka", 3);
    Plan written = plan(t -> t.from(A).groupBy("by-a", v -> v).stream().to(KB_OUT), streams);
    assertEquals(List.of("app.by-a-exchange 0>1 2"), exchanges(written));
    assertTrue(
        PlanText.text(written).endsWith("receive exchange by-a from stage 0\n  └─ write kb\n"),
        PlanText.text(written));
    // It meets a topic with the same keys where that one's records are.
    Plan merged =
        plan(t -> t.from(A).groupBy("by-a", v -> v).stream().merge(t.from(KA)).to(KB_OUT), streams);
    assertEquals(List.of("app.by-a-exchange 0>1 3"), exchanges(merged));
    assertEquals(List.of(2, 3), partitions(merged));
    // Nothing is added where records have the key.
    Plan own = plan(t -> t.from(KA).groupByKey().stream().to(KB_OUT), streams);
    assertEquals(plan(t -> t.from(KA).to(KB_OUT), streams).version(), own.version());
    assertEquals(List.of(), exchanges(own));
  }

  @Test
  void ofASourceThatTellsItsWatermarkTheDisorderDoesNotCount() {
    KafkaKeyedSource<String, String> late = KA.eventTime(_ -> Instant.EPOCH, Duration.ofSeconds(9));
    KafkaKeyedSource<String, String> told = KA.watermark((before, value, time) -> before);
    assertEquals(9_000, disorder(late));
    assertEquals(0, disorder(late.watermark((before, value, time) -> before)));
    assertEquals(0, disorder(told.eventTime(_ -> Instant.EPOCH, Duration.ofSeconds(9))));
  }

  private static long disorder(KafkaKeyedSource<String, String> source) {
    Plan plan = plan(t -> t.from(source).to(OUT), Map.of("ka", 1));
    return plan.stages().getFirst().inputs().getFirst().disorderMillis();
  }

  private static List<String> moved(Plan plan) {
    return plan.exchanges().stream()
        .map(exchange ->
            "%s to %d: %s"
                .formatted(exchange.node().name(), exchange.partitions(), exchange.node().reason()))
        .toList();
  }

  @Test
  void theSideOfAJoinWithFewerPartitionsIsMoved() {
    StreamApplication application =
        t ->
            t.from(KA)
                .join(
                    "near",
                    With.stream(t.from(KB), Within.of(Duration.ofSeconds(1))),
                    (a, b) -> a + b)
                .to(OUT);
    assertEquals(List.of(), moved(plan(application, Map.of("ka", 4, "kb", 4))));
    assertEquals(
        List.of("near-left to 6: because 'ka' has 4 partitions and 'kb' has 6"),
        moved(plan(application, Map.of("ka", 4, "kb", 6))));
    assertEquals(
        List.of("near-right to 6: because 'ka' has 6 partitions and 'kb' has 1"),
        moved(plan(application, Map.of("ka", 6, "kb", 1))));
  }

  @Test
  void sidesOfAJoinWithinAWindowAreMoved() {
    Within hour = Within.window(Windows.tumbling(Duration.ofHours(1)));
    StreamApplication application =
        t -> t.from(KA).join("near", With.stream(t.from(KB), hour), (a, b) -> a + b).to(OUT);
    assertEquals(List.of(), moved(plan(application, Map.of("ka", 4, "kb", 4))));
    Plan plan = plan(application, Map.of("ka", 4, "kb", 6));
    assertEquals(
        List.of("near-left to 6: because 'ka' has 4 partitions and 'kb' has 6"), moved(plan));
    assertTrue(PlanText.text(plan).contains("because 'ka' has 4 partitions and 'kb' has 6"));
  }

  @Test
  void allSidesOfACoGroupMeetAtTheWidest() {
    StreamApplication application =
        t ->
            t.from(KA)
                .coGroup(t.from(KB))
                .and(t.from(keyedSource("kc")))
                .apply("all", Windows.tumbling(Duration.ofHours(1)), (_, sides) -> "")
                .results(r -> r.value())
                .to(OUT);
    assertEquals(List.of(), moved(plan(application, Map.of("ka", 2, "kb", 2, "kc", 2))));
    Plan plan = plan(application, Map.of("ka", 1, "kb", 3, "kc", 2));
    assertEquals(
        List.of(
            "all-1 to 3: because 'ka' has 1 partition and 'kb' has 3",
            "all-3 to 3: because 'kb' has 3 partitions and 'kc' has 2"),
        moved(plan).stream().sorted().toList());
    assertEquals(3, plan.stages().getLast().partitions());
    assertEquals(
        List.of("all-2 to 5: because 'ka' has 5 partitions and 'kb' has 3"),
        moved(plan(application, Map.of("ka", 5, "kb", 3, "kc", 5))));
  }

  /// One that is moved for one join only would come back to its own tasks.
  @Test
  void aSideIsMovedForAllJoinsThatItIsIn() {
    Within second = Within.of(Duration.ofSeconds(1));
    StreamApplication application =
        t -> {
          var a = t.from(KA);
          var b = t.from(KB);
          a.join("one", With.stream(b, second), (x, y) -> x + y).to(OUT);
          b.join("two", With.stream(a, second), (x, y) -> x + y).to(OUT);
        };
    assertEquals(
        List.of(
            "one-left to 6: because 'ka' has 4 partitions and 'kb' has 6",
            "two-right to 6: because 'kb' has 6 partitions and 'ka' has 4"),
        moved(plan(application, Map.of("ka", 4, "kb", 6))).stream().sorted().toList());
  }

  @Test
  void aSideOfACoGroupWithKeysInAnotherFormatIsWrittenAnew() {
    KafkaKeyedSource<String, String> other =
        Kafka.source("kb").key(new Shouted()).value(Serdes.string());
    StreamApplication application =
        t ->
            t.from(KA)
                .coGroup(t.from(other))
                .apply("all", Windows.tumbling(Duration.ofHours(1)), (_, sides) -> "")
                .results(r -> r.value())
                .to(OUT);
    assertEquals(
        List.of(
            "all-2 to 4: for its keys are of serde 'shouted', and those of the other side of serde"
                + " 'string'"),
        moved(plan(application, Map.of("ka", 4, "kb", 7))));
  }

  @Test
  void recordsAreSeenBehindTheExchangeThatBringsThemToATable() {
    StreamApplication application =
        t ->
            t.from(KB)
                .records()
                .join("found", table(t.table("a", KA)), (record, a) -> record.key() + a)
                .to(OUT);
    assertEquals(List.of(), moved(plan(application, Map.of("ka", 2, "kb", 2))));
    assertEquals(
        "join 'found' sends its left side to other tasks, because 'kb' has 3 partitions and 'ka'"
            + " has 2, but no serde is known for the values there. Add mapValues(value -> value,"
            + " serde) before it; for records(), add repartition(name) before those.",
        assertThrows(
                InvalidTopologyException.class, () -> plan(application, Map.of("ka", 2, "kb", 3)))
            .getMessage());
    StreamApplication moved =
        t ->
            t.from(KB)
                .repartition("moved")
                .records()
                .join("found", table(t.table("a", KA)), (record, a) -> record.key() + a)
                .to(OUT);
    assertEquals(List.of("moved to 2: "), moved(plan(moved, Map.of("ka", 2, "kb", 3))));
  }

  /// A table behind an exchange would be read as far as that went, and not as far as its topic.
  @Test
  void ofAStreamAndATableTheStreamIsMovedWhateverElseMeetsTheTable() {
    StreamApplication application =
        t -> {
          Table<String, String> table = t.table("a", KA);
          t.from(keyedSource("kc")).join("found", table(table), (c, a) -> c + a).to(OUT);
          table.join("both", t.table("b", KB), (a, b) -> a + b).to(keyedSink("both"));
        };
    assertEquals(
        List.of(
            "both-left to 3: because 'ka' has 2 partitions and 'kb' has 3",
            "found-left to 2: because 'kc' has 1 partition and 'ka' has 2"),
        moved(plan(application, Map.of("ka", 2, "kb", 3, "kc", 1))).stream().sorted().toList());
    assertEquals(
        List.of("found-left to 2: because 'kc' has 5 partitions and 'ka' has 2"),
        moved(plan(application, Map.of("ka", 2, "kb", 2, "kc", 5))));
  }

  @Test
  void keysInAnotherFormatAreWrittenAnewOnTheWay() {
    KafkaKeyedSource<String, String> other =
        Kafka.source("kb").key(new Shouted()).value(Serdes.string());
    StreamApplication application =
        t ->
            t.from(KA)
                .join(
                    "near",
                    With.stream(t.from(other), Within.of(Duration.ofSeconds(1))),
                    (a, b) -> a + b)
                .to(OUT);
    Plan plan = plan(application, Map.of("ka", 4, "kb", 4));
    assertEquals(
        List.of(
            "near-right to 4: for its keys are of serde 'shouted', and those of the other side of"
                + " serde 'string'"),
        moved(plan));
  }

  /// Strings in another format than the usual one.
  private record Shouted() implements Serde<String> {
    @Override
    public String id() {
      return "shouted";
    }

    @Override
    public void write(String value, BytesWriter out) {
      Serdes.string().write(value + "!", out);
    }

    @Override
    public String read(Bytes in) {
      String read = Serdes.string().read(in);
      return read.substring(0, read.length() - 1);
    }
  }

  @Test
  void keysAreFollowedThroughEveryOperatorThatKeepsThem() {
    StreamApplication application =
        t -> {
          KeyedStream<String, String> a =
              t.from(KA).filter(v -> true).peek(v -> {}).mapValues(v -> v).process("p", Copy::new);
          a.merge(t.from(KB)).to(OUT);
        };
    assertRefused(
        "merge has keyed streams with different numbers of partitions: 'ka' has 1 and 'kb' has 2,"
            + " so records of one key would not be in the same task. Add repartition(name) to one"
            + " of them, or give both the same number.",
        () -> plan(application, Map.of("ka", 1, "kb", 2)));
  }

  @Test
  void readersOfOneStreamAgreeOnHowItIsRead() {
    Map<String, KafkaSource<String>> others =
        Map.of(
            "end", A.asBounded(),
            "start", A.startAtLatest(),
            "event time", A.eventTime(v -> Instant.EPOCH),
            "event time and another disorder",
                A.eventTime(v -> Instant.EPOCH, Duration.ofSeconds(1)));
    others.forEach((differs, other) ->
        assertRefused(
            "Stream 'a' is read twice, with different values of %s. Describe it once, in a variable, and use that twice."
                .formatted(differs),
            () ->
                plan(
                    t -> {
                      t.from(A).to(OUT);
                      t.from(other).to(OUT);
                    },
                    Map.of("a", 1))));
  }

  @Test
  void aStreamThatIsNotThereIsNamed() {
    assertRefused(
        "Stream 'b' does not exist. Create it, or declare partitions(n) for it, so that it is"
            + " created.",
        () -> plan(t -> t.from(A).merge(t.from(B)).to(OUT), Map.of("a", 1)));
  }

  @Test
  void topicsOfTheMachineAreNotSinks() {
    assertRefused(
        "Sink 'app-changelog' cannot be written to: it is the changelog of the application. Choose"
            + " another name.",
        () -> plan(t -> t.from(A).to(sink("app-changelog")), Map.of("a", 1)));
    assertRefused(
        "Sink 'app.g-exchange' cannot be written to: the application's exchanges have such names."
            + " Choose another name.",
        () -> plan(t -> t.from(A).to(sink("app.g-exchange")), Map.of("a", 1)));
    assertRefused(
        "Sink '__consumer_offsets' cannot be written to: names that begin with '__' are reserved"
            + " for the log's internal topics. Choose another name.",
        () -> plan(t -> t.from(A).to(sink("__consumer_offsets")), Map.of("a", 1)));
    plan(t -> t.from(A).to(sink("other-changelog")), Map.of("a", 1));
  }

  @Test
  void anApplicationHasAName() {
    assertRefused(
        "The application cannot be called 'My App': a name has 1 to 100 lower-case letters, digits"
            + " and '-', and does not begin with '-'.",
        () -> Planner.plan("My App", TopologyGraph.of(t -> t.from(A).to(OUT)), Map.of("a", 1)));
  }

  private static void assertRefused(String message, Runnable planning) {
    assertEquals(message, assertThrows(InvalidTopologyException.class, planning::run).getMessage());
  }
}
