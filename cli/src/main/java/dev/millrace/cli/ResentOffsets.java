package dev.millrace.cli;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/// Which dead letters were sent again. It is noted in their own topic, by records that are written
/// in the transaction in which they are sent: they live as long as the letters. A consumer group's
/// offsets would be forgotten after a week, and say nothing of letters that were left out.
final class ResentOffsets {
  private static final String HEADER = "millrace.resent-letters";

  /// By their distance from the first offset there is.
  private final BitSet resent = new BitSet();

  private final long first;

  ResentOffsets(long first) {
    this.first = first;
  }

  /// Returns whether a record is such a note, which is taken over then.
  boolean takes(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(HEADER);
    byte @Nullable [] value = header == null ? null : header.value();
    if (value == null) {
      return false;
    }
    for (String range : new String(value, StandardCharsets.UTF_8).split(",", -1)) {
      String[] ends = range.split("-", -1);
      long to = Long.parseLong(ends[ends.length - 1]);
      if (to >= first) {
        resent.set(index(Math.max(first, Long.parseLong(ends[0]))), index(to) + 1);
      }
    }
    return true;
  }

  boolean contains(long offset) {
    return offset >= first && resent.get(index(offset));
  }

  private int index(long offset) {
    return Math.toIntExact(offset - first);
  }

  /// Returns a note for letters that are sent now.
  ///
  /// @param offsets in order
  static ProducerRecord<byte[], byte[]> note(TopicPartition letters, Iterable<Long> offsets) {
    StringBuilder ranges = new StringBuilder();
    long from = -1;
    long to = -1;
    for (long offset : offsets) {
      if (from < 0) {
        from = offset;
      } else if (offset != to + 1) {
        append(from, to, ranges);
        from = offset;
      }
      to = offset;
    }
    append(from, to, ranges);
    ProducerRecord<byte[], byte[]> note =
        new ProducerRecord<>(letters.topic(), letters.partition(), null, null);
    note.headers().add(HEADER, ranges.toString().getBytes(StandardCharsets.UTF_8));
    return note;
  }

  private static void append(long from, long to, StringBuilder ranges) {
    ranges.append(ranges.isEmpty() ? "" : ",").append(from);
    if (to > from) {
      ranges.append('-').append(to);
    }
  }
}
