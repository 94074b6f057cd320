package dev.millrace.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is wrong is named, with the way out.
class MemoryFailuresTest {
  private final MemoryStore store = new MemoryStore();
  private final Log log = store.connect();

  @AfterEach
  void close() {
    store.close();
  }

  private static void assertSays(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), message + " does not say " + part);
    }
  }

  private String failureOfSending(Split split, RecordBatch batch) {
    TransactionalWriter writer = log.writer("id", Duration.ofMinutes(1));
    writer.open();
    writer.send(split, batch);
    writer.commit();
    assertEquals(Outcome.ABORTED, writer.outcome());
    return writer.failure();
  }

  @Test
  void aTopicThatDoesNotExist() {
    Split missing = new Split("clicks", 0);
    LogException failure =
        assertThrows(LogException.class, () -> log.reader("reader").add(missing, Position.of(0)));
    assertEquals(Kind.MISSING, failure.kind());
    assertSays(String.valueOf(failure.getMessage()), "clicks-0", "'clicks'", "Create it");
    assertSays(failureOfSending(missing, Texts.one("a", "b")), "clicks-0", "Create it");
  }

  @Test
  void aPartitionThatDoesNotExist() {
    log.createTopic(new TopicSpec("clicks", 2, -1, Map.of()));
    String failure = failureOfSending(new Split("clicks", 2), Texts.one("a", "b"));
    assertSays(failure, "clicks-2", "2 partitions");
  }

  @Test
  void aRecordThatIsTooLarge() {
    log.createTopic(new TopicSpec("clicks", 1, -1, Map.of("max.message.bytes", "100")));
    Split split = new Split("clicks", 0);
    String failure = failureOfSending(split, Texts.one("key", "x".repeat(98)));
    assertSays(failure, "clicks-0", "101 bytes", "max.message.bytes", "at most 100");
    TransactionalWriter writer = log.writer("id", Duration.ofMinutes(1));
    writer.open();
    writer.send(split, Texts.one("key", "x".repeat(97)));
    writer.commit();
    assertEquals(Outcome.COMMITTED, writer.outcome());
  }

  @Test
  void aRecordWithoutAKeyInACompactedTopic() {
    log.createTopic(new TopicSpec("table", 1, -1, Map.of("cleanup.policy", "compact")));
    String failure = failureOfSending(new Split("table", 0), Texts.one(null, "value"));
    assertSays(failure, "table-0", "no key", "cleanup.policy=compact");
  }

  @Test
  void aWriterThatTakesTooLong() throws InterruptedException {
    log.createTopic(new TopicSpec("clicks", 1, -1, Map.of()));
    Split split = new Split("clicks", 0);
    TransactionalWriter writer = log.writer("slow", Duration.ofMillis(50));
    writer.open();
    writer.send(split, Texts.one("a", "b"));
    while (!log.openTransactions(split).isEmpty()) {
      Thread.sleep(5);
    }
    writer.commit();
    assertEquals(Outcome.FENCED, writer.outcome());
    assertSays(writer.failure(), "slow", "PT0.05S");
    assertFalse(Texts.values(log, split).contains("b"));
  }

  @ParameterizedTest
  @CsvSource({
    "cleanup.policy, shred, one of",
    "max.message.bytes, large, number of bytes",
    "retention.ms, never, a number",
    "no.such.setting, 1, no such setting",
  })
  void aSettingThatIsNotValid(String name, String value, String why) {
    LogException failure =
        assertThrows(
            LogException.class,
            () -> log.createTopic(new TopicSpec("clicks", 1, -1, Map.of(name, value))));
    assertEquals(Kind.REFUSED, failure.kind());
    assertSays(String.valueOf(failure.getMessage()), "'clicks'", name, value, why);
    assertEquals(Map.of(), log.topics(List.of("clicks")));
  }

  @ParameterizedTest
  @CsvSource({"a topic, 1, named", "topic, 0, at least one"})
  void aTopicThatCannotBe(String name, int partitions, String why) {
    LogException failure =
        assertThrows(
            LogException.class,
            () -> log.createTopic(new TopicSpec(name, partitions, -1, Map.of())));
    assertEquals(Kind.REFUSED, failure.kind());
    assertSays(String.valueOf(failure.getMessage()), "'" + name + "'", why);
  }
}
