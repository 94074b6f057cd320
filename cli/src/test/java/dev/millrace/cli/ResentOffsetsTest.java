package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/// What notes say of offsets is what they were made of.
class ResentOffsetsTest {
  private static final TopicPartition LETTERS = new TopicPartition("letters", 0);
  private static final int SEEDS = 300;

  /// A note as it is read.
  private static ConsumerRecord<byte[], byte[]> read(ProducerRecord<byte[], byte[]> note) {
    return new ConsumerRecord<>(
        "letters",
        0,
        1_000,
        0,
        TimestampType.CREATE_TIME,
        -1,
        -1,
        null,
        null,
        new RecordHeaders(note.headers().toArray()),
        Optional.empty());
  }

  @Test
  void aNoteHoldsItsOffsetsAndNoneBetween() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      String run = "seed " + seed;
      Random random = new Random(seed);
      long first = random.nextInt(20);
      ResentOffsets all = new ResentOffsets(first);
      TreeSet<Long> expected = new TreeSet<>();
      for (int notes = random.nextInt(4); notes >= 0; notes--) {
        TreeSet<Long> offsets = new TreeSet<>();
        for (int i = random.nextInt(30); i >= 0; i--) {
          offsets.add((long) random.nextInt(60));
        }
        assertTrue(all.takes(read(ResentOffsets.note(LETTERS, offsets))), run);
        expected.addAll(offsets);
      }
      // What lies before the first offset there is was deleted.
      for (long offset = 0; offset < 70; offset++) {
        boolean sent = offset >= first && expected.contains(offset);
        assertEquals(sent, all.contains(offset), run + ", offset " + offset);
      }
    }
  }

  @Test
  void aLetterIsNoNote() {
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>("letters", 0, null, "v".getBytes(StandardCharsets.UTF_8));
    assertFalse(new ResentOffsets(0).takes(read(letter)));
  }
}
