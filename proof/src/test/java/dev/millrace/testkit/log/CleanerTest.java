package dev.millrace.testkit.log;

import static dev.millrace.testkit.log.LogFixture.drain;
import static dev.millrace.testkit.log.LogFixture.keyed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CleanerTest {
  private static final Split TABLE = new Split("table", 0);

  private LogFixture fixture = fixture(0);

  private static LogFixture fixture(int activeRecords) {
    ModelSettings settings =
        ModelSettings.defaults().withMarkers(Delay.NONE).withCleaner(Duration.ZERO, activeRecords);
    LogFixture fixture = new LogFixture(1, settings);
    fixture.log.createTopic(
        new TopicSpec(
            "table", 1, -1, Map.of("cleanup.policy", "compact", "delete.retention.ms", "1000")));
    return fixture;
  }

  private void put(String key, String value) {
    fixture.log.append("table", 0, key, value, 0);
  }

  private String records() {
    StringBuilder text = new StringBuilder();
    for (ModelRecord record : fixture.log.records("table")) {
      text.append(record.offset()).append(record.keyText()).append(record.valueText()).append(' ');
    }
    return text.toString().strip();
  }

  @Test
  void olderRecordsOfAKeyGoAndOffsetsStay() {
    put("a", "1");
    put("b", "1");
    put("a", "2");
    put("c", "1");
    put("a", "3");
    fixture.log.clean(TABLE);
    assertEquals("1b1 3c1 4a3", records());
    assertEquals(5, fixture.offsets(TABLE).end());
    put("b", "2");
    assertEquals("1b1 3c1 4a3 5b2", records());
    SplitReader reader = fixture.log.client("one").reader("r");
    for (int from = 0; from <= 6; from++) {
      int start = from;
      reader.add(TABLE, Position.of(from));
      List<Long> expected = List.of(1L, 3L, 4L, 5L).stream().filter(at -> at >= start).toList();
      assertEquals(expected, drain(reader).stream().map(ModelRecord::offset).toList());
      reader.remove(TABLE);
    }
  }

  @Test
  void theNewestEntriesAreLeftAlone() {
    fixture = fixture(2);
    put("a", "1");
    put("a", "2");
    put("a", "3");
    put("a", "4");
    fixture.log.clean(TABLE);
    assertEquals("1a2 2a3 3a4", records());
  }

  @Test
  void aTombstoneGoesOnlyAfterItsTime() {
    put("a", "1");
    put("b", "1");
    put("a", null);
    fixture.log.clean(TABLE);
    assertEquals("1b1 2anull", records());
    fixture.log.advance(Duration.ofSeconds(1));
    fixture.log.clean(TABLE);
    assertEquals("1b1 2anull", records());
    fixture.log.advance(Duration.ofMillis(1));
    fixture.log.clean(TABLE);
    assertEquals("1b1", records());
    assertEquals(3, fixture.offsets(TABLE).end());
  }

  @Test
  void nothingIsCleanedBehindTheStableEnd() {
    put("a", "1");
    TransactionalWriter open = fixture.open("one", "w");
    open.send(TABLE, keyed("b", "open"));
    put("a", "2");
    fixture.log.clean(TABLE);
    open.commit();
    assertEquals(Outcome.COMMITTED, open.outcome());
    assertEquals("0a1 1bopen 2a2", records());
    fixture.log.clean(TABLE);
    assertEquals("1bopen 2a2", records());
  }

  @Test
  void anAbortedRecordReplacesNothingAndGoes() {
    put("a", "1");
    TransactionalWriter writer = fixture.open("one", "w");
    writer.send(TABLE, keyed("a", "no"));
    writer.abort();
    assertEquals(Outcome.ABORTED, writer.outcome());
    put("b", "1");
    fixture.log.clean(TABLE);
    assertEquals("0a1 3b1", records());
  }

  @Test
  void aTopicThatIsNotCompactedIsLeftAlone() {
    fixture.log.append("events", 0, "a", "1", 0);
    fixture.log.append("events", 0, "a", "2", 0);
    fixture.log.clean(LogFixture.ZERO);
    assertEquals(2, fixture.log.records("events").size());
  }

  @Test
  void theCleanerComesByItself() {
    ModelSettings settings = ModelSettings.defaults().withCleaner(Duration.ofSeconds(1), 1);
    fixture = new LogFixture(1, settings);
    fixture.log.createTopic(new TopicSpec("table", 1, -1, Map.of("cleanup.policy", "compact")));
    put("a", "1");
    put("a", "2");
    put("a", "3");
    fixture.log.advance(Duration.ofMillis(900));
    assertEquals("0a1 1a2 2a3", records());
    fixture.log.advance(Duration.ofMillis(200));
    assertEquals("1a2 2a3", records());
  }

  @Test
  void aRecordWithoutKeyIsRefused() {
    TransactionalWriter writer = fixture.open("one", "w");
    writer.send(TABLE, LogFixture.batch("no key"));
    assertEquals(Outcome.ABORTED, fixture.outcome(writer));
    assertTrue(writer.failure().contains("compacted"), writer.failure());
  }

  @Test
  void whatAReaderFoldsIsTheSameCleanedOrNot() {
    for (int number = 0; number < 200; number++) {
      fixture = fixture(number % 5);
      Seed seed = new Seed(number);
      TreeMap<String, String> expected = new TreeMap<>();
      TransactionalWriter writer = fixture.open("one", "w");
      for (int i = 0; i < 60; i++) {
        change(seed, writer, expected, "v" + i);
        if (seed.chance(0.1)) {
          fixture.log.clean(TABLE);
        }
        fixture.log.advance(Duration.ofMillis(seed.below(300)));
      }
      SplitReader reader = fixture.log.client("one").reader("r");
      reader.add(TABLE, Position.of(0));
      TreeMap<String, String> folded = new TreeMap<>();
      for (ModelRecord record : drain(reader)) {
        if (record.value() == null) {
          folded.remove(record.keyText());
        } else {
          folded.put(record.keyText(), record.valueText());
        }
      }
      assertEquals(expected, folded, "With seed " + number);
    }
  }

  private static void change(
      Seed seed, TransactionalWriter writer, TreeMap<String, String> expected, String value) {
    String key = "k" + seed.below(6);
    boolean delete = seed.chance(0.3);
    writer.send(TABLE, keyed(key, delete ? null : value));
    if (seed.chance(0.2)) {
      writer.abort();
      assertEquals(Outcome.ABORTED, writer.outcome());
      return;
    }
    writer.commit();
    assertEquals(Outcome.COMMITTED, writer.outcome());
    if (delete) {
      expected.remove(key);
    } else {
      expected.put(key, value);
    }
  }
}
