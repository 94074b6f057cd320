package dev.millrace.internal.kafka.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WritableTopicsTest {
  private static final String TOPIC = "out";
  private static final int USUAL = 1_048_588;

  private final List<String> asked = new ArrayList<>();
  private int partitions = 200;
  private Map<String, String> settings = Map.of("max.message.bytes", "5000");
  private boolean refuses;

  private final WritableTopics topics =
      new WritableTopics(
          splits -> {
            asked.add("partition " + splits.getFirst().partition());
            if (splits.getFirst().partition() >= partitions) {
              throw new LogException(Kind.MISSING, "There is none.");
            }
          },
          topic -> {
            asked.add(topic);
            if (refuses) {
              throw new LogException(Kind.REFUSED, "You may not.");
            }
            return partitions == 0 ? null : new TopicInfo(topic, "id", partitions, settings);
          });

  private int limit(int partition) {
    return topics.largestBatchBytes(new Split(TOPIC, partition));
  }

  @Test
  void oneQuestionTellsOfAllPartitions() {
    for (int i = 0; i < partitions; i++) {
      assertEquals(5000, limit(i));
    }
    assertEquals(List.of(TOPIC), asked);
  }

  @Test
  void withoutASettingBrokersTakeTheUsual() {
    settings = Map.of();
    assertEquals(USUAL, limit(0));
  }

  @Test
  void whatWasAddedIsFound() {
    partitions = 2;
    assertEquals(5000, limit(1));
    assertEquals(Kind.MISSING, assertThrows(LogException.class, () -> limit(2)).kind());
    partitions = 3;
    assertEquals(5000, limit(2));
  }

  @Test
  void aTopicThatIsNotThereIsMissing() {
    partitions = 0;
    assertEquals(Kind.MISSING, assertThrows(LogException.class, () -> limit(0)).kind());
  }

  @Test
  void whoMayNotSeeTheSettingsMayWrite() {
    refuses = true;
    assertEquals(USUAL, limit(7));
    assertEquals(USUAL, limit(3));
    assertEquals(List.of(TOPIC, "partition 7"), asked);
    partitions = 8;
    assertEquals(Kind.MISSING, assertThrows(LogException.class, () -> limit(8)).kind());
  }

  @Test
  void whatIsForgottenIsAskedForAgain() {
    limit(0);
    topics.forget();
    settings = Map.of("max.message.bytes", "6000");
    assertEquals(6000, limit(0));
  }
}
