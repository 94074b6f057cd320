package dev.millrace.testkit.contract;

import static dev.millrace.testkit.contract.LogBench.TIME;
import static dev.millrace.testkit.contract.LogBench.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The part of [LogContract] about topics and offsets.
interface LogTopicContract {
  LogBench bench();

  private TopicInfo info(String topic) {
    return bench()
        .awaiting(
            "topic " + topic + " is known", () -> bench().log().topics(List.of(topic)).get(topic));
  }

  @Test
  default void topicsTellIdPartitionsAndSettings() {
    String one = bench().topic(3, Map.of("cleanup.policy", "compact"));
    String two = bench().topic(1, Map.of());
    String missing = bench().uniqueName("missing");
    Map<String, TopicInfo> found = bench().log().topics(List.of(one, missing, two));
    assertEquals(Set.of(one, two), found.keySet());
    TopicInfo compacted = info(one);
    TopicInfo plain = info(two);
    assertEquals(found, Map.of(one, compacted, two, plain));
    assertEquals(one, compacted.name());
    assertEquals(3, compacted.partitions());
    assertEquals("compact", compacted.settings().get("cleanup.policy"));
    assertEquals("delete", plain.settings().get("cleanup.policy"));
    assertTrue(plain.settings().containsKey("max.message.bytes"), plain::toString);
    assertFalse(compacted.id().isEmpty());
    assertNotEquals(compacted.id(), plain.id());
  }

  @Test
  default void allTopicsAreListedButForTheLogsOwn() {
    String one = bench().topic(1, Map.of());
    String two = bench().topic(2, Map.of());
    bench()
        .awaiting(
            "both are listed",
            () -> {
              Set<String> names = bench().log().topicNames();
              assertTrue(names.stream().noneMatch(name -> name.startsWith("__")), names::toString);
              return names.containsAll(List.of(one, two)) ? names : null;
            });
  }

  @Test
  default void creatingATopicAgainDoesNothing() {
    String topic = bench().topic(2, Map.of());
    TopicInfo before = info(topic);
    bench().log().createTopic(new TopicSpec(topic, 5, -1, Map.of("cleanup.policy", "compact")));
    assertEquals(before, info(topic));
  }

  @Test
  default void aTopicDeletedAndCreatedAgainHasAnotherId() {
    String topic = bench().topic(1, Map.of());
    String before = info(topic).id();
    bench().subject().deleteTopic(topic);
    bench().createTopic(topic, 1, Map.of());
    assertNotEquals(before, info(topic).id());
  }

  @Test
  default void anUnknownSettingIsRefused() {
    TopicSpec spec = new TopicSpec(bench().uniqueName("topic"), 1, -1, Map.of("no.such", "1"));
    LogException failure = assertThrows(LogException.class, () -> bench().log().createTopic(spec));
    assertEquals(Kind.REFUSED, failure.kind());
    assertEquals(Map.of(), bench().log().topics(List.of(spec.name())));
  }

  @Test
  default void settingsAreChangedOneByOne() {
    String topic = bench().topic(1, Map.of("cleanup.policy", "compact"));
    bench().log().changeSettings(topic, Map.of("min.cleanable.dirty.ratio", "0.25"));
    bench()
        .eventually(
            "it holds",
            () -> "0.25".equals(info(topic).settings().get("min.cleanable.dirty.ratio")));
    assertEquals("compact", info(topic).settings().get("cleanup.policy"));
    LogException unknown =
        assertThrows(
            LogException.class,
            () ->
                bench().log().changeSettings(topic, Map.of("segment.ms", "1000", "no.such", "1")));
    assertEquals(Kind.REFUSED, unknown.kind());
    assertNotEquals("1000", info(topic).settings().get("segment.ms"));
    String missing = bench().uniqueName("missing");
    LogException failure =
        assertThrows(
            LogException.class,
            () -> bench().log().changeSettings(missing, Map.of("segment.ms", "1000")));
    assertEquals(Kind.MISSING, failure.kind());
  }

  @Test
  default void partitionsAreAddedAndNeverTakenAway() {
    String topic = bench().topic(1, Map.of());
    Split added = new Split(topic, 2);
    bench().log().addPartitions(topic, 3);
    bench().eventually("they are there", () -> bench().isThere(List.of(added)));
    String other = bench().topic(2, Map.of());
    String nowhere = bench().uniqueName("nowhere");
    bench()
        .eventually(
            "they are counted",
            () ->
                bench()
                    .log()
                    .partitions(List.of(topic, nowhere, other))
                    .equals(Map.of(topic, 3, other, 2)));
    bench().log().addPartitions(topic, 2);
    assertEquals(3, info(topic).partitions());
    bench().write(bench().openWriter(), added, "a");
    assertEquals(List.of("a"), bench().values(added));
    String missing = bench().uniqueName("missing");
    LogException failure =
        assertThrows(LogException.class, () -> bench().log().addPartitions(missing, 2));
    assertEquals(Kind.MISSING, failure.kind());
  }

  @Test
  default void theClusterHasOneId() {
    assertFalse(bench().log().clusterId().isEmpty());
    try (Log other = bench().subject().connect()) {
      assertEquals(bench().log().clusterId(), other.clusterId());
    }
  }

  @Test
  default void offsetsTellStartStableEndAndEnd() {
    Split split = bench().split();
    assertEquals(new Log.Offsets(0, 0, 0), bench().offsets(split));
    TransactionalWriter writer = bench().openWriter();
    bench().write(writer, split, "a", "b");
    bench().awaitDecided(split);
    long end = bench().offsets(split).end();
    assertEquals(3, end, "Two records and a marker");
    writer.send(split, batch("c"));
    bench().eventually("it arrived", () -> bench().offsets(split).end() == end + 1);
    assertEquals(new Log.Offsets(0, end, end + 1), bench().offsets(split));
    bench().commit(writer);
  }

  @Test
  default void offsetsOfWhatDoesNotExistAreAnError() {
    Split split = bench().split();
    for (Split missing : List.of(new Split(split.stream(), 1), new Split("no-such-topic", 0))) {
      LogException failure =
          assertThrows(LogException.class, () -> bench().log().offsets(List.of(split, missing)));
      assertEquals(Kind.MISSING, failure.kind());
      assertTrue(
          String.valueOf(failure.getMessage()).contains(missing.stream()), failure.getMessage());
    }
  }

  @Test
  default void offsetsAtATimeFindTheFirstRecordThatIsNotOlder() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    for (long time : new long[] {TIME, TIME + 100, TIME + 50, TIME + 200}) {
      RecordBatch batch = RecordBatch.create();
      batch.append(0, time);
      batch.value(new byte[] {1}, 0, 1);
      writer.send(split, batch);
    }
    bench().commit(writer);
    bench().awaitDecided(split);
    assertEquals(0, offsetAt(split, TIME - 1000));
    assertEquals(0, offsetAt(split, TIME));
    assertEquals(1, offsetAt(split, TIME + 1));
    assertEquals(1, offsetAt(split, TIME + 60));
    assertEquals(3, offsetAt(split, TIME + 101));
    assertEquals(3, offsetAt(split, TIME + 200));
  }

  @Test
  default void offsetsAtATimeThatNoRecordReachedAreTheEnd() {
    Split split = bench().split();
    assertEquals(0, offsetAt(split, TIME));
    bench().write(bench().openWriter(), split, "a");
    bench().awaitDecided(split);
    long end = bench().offsets(split).stableEnd();
    long farAway = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();
    assertEquals(end, offsetAt(split, farAway));
  }

  private long offsetAt(Split split, long time) {
    Instant instant = Instant.ofEpochMilli(time);
    return bench()
        .awaiting(
            "offsets are known", () -> bench().log().offsetsAt(List.of(split), instant).get(split));
  }

  @Test
  default void recordsBelowAnOffsetAreDeleted() {
    List<Split> splits = bench().twoSplits();
    TransactionalWriter writer = bench().openWriter();
    for (Split split : splits) {
      bench().write(writer, split, "a", "b", "c", "d");
      bench().awaitDecided(split);
    }
    bench().log().deleteBefore(Map.of(splits.get(0), 3L, splits.get(1), 0L));
    bench().eventually("it is deleted", () -> bench().offsets(splits.get(0)).start() == 3);
    assertEquals(List.of("d"), bench().values(splits.get(0)));
    assertEquals(List.of("a", "b", "c", "d"), bench().values(splits.get(1)));
    bench().write(writer, splits.get(0), "e");
    LogReading reading = bench().reading();
    reading.reader().add(splits.get(0), Position.of(3));
    reading.readRecords(splits.get(0), 2);
    assertEquals(List.of("d", "e"), reading.values(splits.get(0)));
  }

  @Test
  default void recordsOfACompactedTopicAreNotDeleted() {
    Split split = new Split(bench().topic(1, Map.of("cleanup.policy", "compact")), 0);
    RecordBatch batch = RecordBatch.create();
    batch.append(0, TIME);
    batch.key(new byte[] {7}, 0, 1);
    batch.value(new byte[] {8}, 0, 1);
    TransactionalWriter writer = bench().openWriter();
    writer.send(split, batch);
    bench().commit(writer);
    bench().awaitDecided(split);
    LogException failure =
        assertThrows(LogException.class, () -> bench().log().deleteBefore(Map.of(split, 1L)));
    assertEquals(Kind.REFUSED, failure.kind());
    assertEquals(1, bench().records(split).size());
  }

  @Test
  default void whatLiesBehindTheEndCannotBeDeleted() {
    Split split = bench().split();
    LogException failure =
        assertThrows(LogException.class, () -> bench().log().deleteBefore(Map.of(split, 10L)));
    assertEquals(Kind.REFUSED, failure.kind());
    assertEquals(new Log.Offsets(0, 0, 0), bench().offsets(split));
  }
}
