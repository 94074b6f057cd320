package dev.millrace.internal.kafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void timesAreInWords() {
    assertEquals("10 s", Words.time(Duration.ofSeconds(10)));
    assertEquals("60 s", Words.time(Duration.ofSeconds(60)));
    assertEquals("2 min", Words.time(Duration.ofMinutes(2)));
    assertEquals("250 ms", Words.time(Duration.ofMillis(250)));
    assertEquals("0 s", Words.time(Duration.ZERO));
  }

  @Test
  void sentencesHaveOneEndAndOneLine() {
    assertEquals("It is away.", Words.sentence("It is away"));
    assertEquals("It is away.", Words.sentence("It is\n  away.. "));
    assertEquals("Is it?", Words.sentence("Is it?"));
    assertEquals("it is away", Words.clause("it is away."));
    assertEquals("One. Two.", Words.both("One", "Two"));
    assertEquals("Two.", Words.both("", "Two"));
    assertEquals("One.", Words.both("One.", ""));
  }

  @Test
  void whatKafkaSaysIsASentenceOfOurs() {
    assertEquals(
        "Looking for topic t: Kafka did not answer in time (Timed out waiting for a node"
            + " assignment).",
        KafkaFailures.of(
                "Looking for topic t",
                new TimeoutException("Timed out waiting for a node assignment. Call: listNodes"))
            .getMessage());
    assertEquals(
        "Looking: The coordinator is not available.",
        KafkaFailures.of(
                "Looking", new CoordinatorNotAvailableException("The coordinator is not available"))
            .getMessage());
  }

  @Test
  void aCallThatIsNeverAnsweredSaysForHowLongInWords() {
    try (Admin admin = Admin.create(java.util.Map.of("bootstrap.servers", "127.0.0.1:1"))) {
      AdminCalls calls = new AdminCalls(admin, Duration.ofSeconds(-2));
      Exception thrown =
          assertThrows(
              RuntimeException.class, () -> calls.get("Looking", new KafkaFutureImpl<Object>()));
      assertTrue(
          String.valueOf(thrown.getMessage())
              .matches("Looking: Kafka did not answer within -?\\d+ s\\."),
          thrown.getMessage());
      admin.close(Duration.ZERO);
    }
  }
}
