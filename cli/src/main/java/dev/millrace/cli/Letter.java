package dev.millrace.cli;

import dev.millrace.internal.engine.settings.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/// A dead letter.
record Letter(ConsumerRecord<byte[], byte[]> record) {
  private static final Set<String> OWN =
      Set.of(
          DeadLetter.TOPIC,
          DeadLetter.PARTITION,
          DeadLetter.OFFSET,
          DeadLetter.TIMESTAMP,
          DeadLetter.OPERATOR,
          DeadLetter.CAUSE);

  /// Returns the offset of the letter in the dead-letter topic.
  long offset() {
    return record.offset();
  }

  /// Returns when it failed.
  Instant time() {
    return Instant.ofEpochMilli(record.timestamp());
  }

  String operator() {
    return header(DeadLetter.OPERATOR);
  }

  String cause() {
    return header(DeadLetter.CAUSE);
  }

  /// Returns whether it can be sent again: it was a record that failed, and is here as a whole.
  boolean canBeSent() {
    return isRecord() && isWhole();
  }

  /// Returns whether key, value and headers are here, which may have been too large for a letter.
  private boolean isWhole() {
    return !has(DeadLetter.LEFT_OUT);
  }

  /// Returns a description of a value that was left out; empty if none was.
  String leftOut() {
    return isWhole()
        ? ""
        : "left out: with its key and headers it has %s bytes, more than the topic accepts"
            .formatted(header(DeadLetter.LEFT_OUT));
  }

  /// Returns whether it was a record that failed.
  boolean isRecord() {
    return has(DeadLetter.TOPIC)
        && has(DeadLetter.PARTITION)
        && has(DeadLetter.OFFSET)
        && has(DeadLetter.TIMESTAMP);
  }

  /// Returns the topic that the record came from; empty if it was none.
  String topic() {
    return header(DeadLetter.TOPIC);
  }

  int partition() {
    return Integer.parseInt(header(DeadLetter.PARTITION));
  }

  /// Returns its origin: topic, partition and offset, or a description.
  String place() {
    if (isRecord()) {
      return topic() + ":" + header(DeadLetter.PARTITION) + ":" + header(DeadLetter.OFFSET);
    }
    String when =
        has(DeadLetter.WINDOW)
            ? "window " + header(DeadLetter.WINDOW)
            : "due " + header(DeadLetter.TIME);
    return "%s of '%s', task %s, %s"
        .formatted(
            header(DeadLetter.KIND), header(DeadLetter.SOURCE), header(DeadLetter.TASK), when);
  }

  /// Returns the identity of the record, which is the same in all letters of one record: if it
  /// failed in several stages, each may have written one.
  String origin() {
    return place() + "@" + timestamp();
  }

  /// Returns the offset that it had in its topic.
  long sourceOffset() {
    return Long.parseLong(header(DeadLetter.OFFSET));
  }

  /// Returns how often the record had been sent again before it failed.
  int resent() {
    String times = header(DeadLetter.RESENT);
    return times.matches("[0-9]{1,9}") ? Integer.parseInt(times) : 0;
  }

  /// Returns the headers of the record that failed.
  List<Header> headers() {
    if (!isWhole()) {
      return List.of();
    }
    List<Header> all = new ArrayList<>(List.of(record.headers().toArray()));
    // Added headers are after the others.
    return isRecord() ? all.subList(0, Math.max(0, all.size() - OWN.size())) : all;
  }

  /// Returns the record as it was, and a header that says how often it was sent again.
  ProducerRecord<byte[], byte[]> again() {
    List<Header> headers = new ArrayList<>(headers());
    headers.removeIf(header -> header.key().equals(DeadLetter.RESENT));
    byte[] times = Integer.toString(resent() + 1).getBytes(StandardCharsets.UTF_8);
    headers.add(new RecordHeader(DeadLetter.RESENT, times));
    return new ProducerRecord<>(
        topic(), partition(), timestamp(), record.key(), record.value(), headers);
  }

  private long timestamp() {
    return Long.parseLong(header(DeadLetter.TIMESTAMP));
  }

  private boolean has(String name) {
    return record.headers().lastHeader(name) != null;
  }

  /// Returns the text of a header, empty if there is none.
  String header(String name) {
    Header header = record.headers().lastHeader(name);
    byte @Nullable [] value = header == null ? null : header.value();
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }
}
