package dev.millrace.internal.engine.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.failure.DeadLetters.Failed;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Dead letters as others read them, who know the names of their headers from the guide.
class DeadLettersTest {
  private final Outbox outbox = new Outbox("changelog", 1 << 20);
  private final DeadLetters letters = new DeadLetters("letters");

  DeadLettersTest() {
    outbox.add("letters", 1);
  }

  /// The letter that was written last, line by line.
  private List<String> letter() {
    RecordBatch batch = outbox.append("letters", 0, 0);
    int last = batch.size() - 2;
    List<String> lines = new ArrayList<>();
    lines.add(batch.hasKey(last) ? batch.key(last, new Bytes()).toUtf8() : "no key");
    lines.add(batch.hasValue(last) ? batch.value(last, new Bytes()).toUtf8() : "no value");
    lines.add(Long.toString(batch.timestamp(last)));
    Headers.visit(
        batch.headers(last, new Bytes()),
        (name, value) -> lines.add(name + "=" + new String(value, StandardCharsets.UTF_8)));
    return lines;
  }

  @Test
  void aRecordKeepsWhatItHasAndSaysWhereItLayAndWhy() {
    RecordBatch batch = RecordBatch.create().reset(new Split("in", 3), new byte[0], 41);
    batch.append(41, 1_000);
    batch.key(new byte[] {'k'}, 0, 1);
    batch.value(new byte[] {'v'}, 0, 1);
    BytesWriter headers = new BytesWriter();
    Headers.begin(1, headers);
    Headers.write("own", new byte[] {'h'}, headers);
    batch.headers(headers.toByteArray(), 0, headers.length());
    letters.record(
        batch, 0, batch.timestamp(0), new Failed("map at App.java:7", "no number"), 2_000, outbox);
    assertEquals(
        List.of(
            "k",
            "v",
            "2000",
            "own=h",
            "millrace.topic=in",
            "millrace.partition=3",
            "millrace.offset=41",
            "millrace.timestamp=1000",
            "millrace.operator=map at App.java:7",
            "millrace.cause=no number"),
        letter());
  }

  @Test
  void aResultSaysWhatItWasAndWhen() {
    Window window = new Window(Instant.ofEpochMilli(0), Instant.ofEpochMilli(60_000));
    Due due = new Due(Bytes.ofUtf8("place"), "result", Bytes.ofUtf8("k"), 59_999, window);
    DeadLetters.Source source = new DeadLetters.Source(new Plan.TaskId(5, 1, 3), "counts");
    letters.due(due, Bytes.ofUtf8("kept"), source, new Failed("to", "too large"), 7, outbox);
    assertEquals(
        List.of(
            "k",
            "kept",
            "7",
            "millrace.kind=result",
            "millrace.source=counts",
            "millrace.task=1-3",
            "millrace.time=1970-01-01T00:00:59.999Z",
            "millrace.window=1970-01-01T00:00:00Z/1970-01-01T00:01:00Z",
            "millrace.operator=to",
            "millrace.cause=too large"),
        letter());
  }

  @Test
  void whatNoTopicWouldTakeIsLeftOutAndItsSizeIsTold() {
    RecordBatch batch = RecordBatch.create().reset(new Split("in", 0), new byte[0], 0);
    batch.append(0, 0);
    byte[] large = new byte[2 << 20];
    outbox.limit("letters", 1 << 20);
    batch.value(large, 0, large.length);
    letters.record(batch, 0, batch.timestamp(0), new Failed("o", "c"), 0, outbox);
    List<String> letter = letter();
    assertEquals("no value", letter.get(1));
    assertEquals("millrace.left-out=" + large.length, letter.getLast());
    assertFalse(letter.contains("own=h"));
  }
}
