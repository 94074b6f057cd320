package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.ExternalSource.Connection;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What every source outside the log must do.
public abstract class SourceContract {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final List<List<String>> CONTENTS =
      List.of(numbered("a", 1_000), numbered("b", 7), List.of("x".repeat(300_000), "ü", "end"));

  /// A connection to a source of that stream whose splits have these values, in order, and nothing
  /// more.
  protected abstract Connection connect(String stream, List<List<String>> contents);

  private Connection connect() {
    return connect("contract", CONTENTS);
  }

  private static List<String> numbered(String prefix, int count) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(prefix + i);
    }
    return values;
  }

  private static Split split(int number) {
    return new Split("contract", number);
  }

  @Test
  public void everyRecordOfEverySplitIsReadOnceInOrder() {
    try (Connection source = connect();
        SplitReader reader = source.reader("test")) {
      assertEquals(CONTENTS.size(), source.splits());
      for (int i = 0; i < CONTENTS.size(); i++) {
        reader.add(split(i), start(source, i));
      }
      Map<Integer, List<String>> found = new HashMap<>();
      int left = CONTENTS.stream().mapToInt(List::size).sum();
      while (left > 0) {
        RecordBatch batch = next(reader);
        List<String> values = values(batch, 0);
        found.computeIfAbsent(batch.split().partition(), _ -> new ArrayList<>()).addAll(values);
        left -= values.size();
        batch.release();
      }
      for (int i = 0; i < CONTENTS.size(); i++) {
        assertEquals(CONTENTS.get(i), found.get(i));
      }
      assertNull(reader.poll(Duration.ofMillis(50)));
    }
  }

  @Test
  public void everyPositionLeadsToTheRecordsBehindIt() {
    try (Connection source = connect()) {
      for (int number = 0; number < CONTENTS.size(); number++) {
        List<String> expected = CONTENTS.get(number);
        List<Position> positions = positions(source, number);
        assertEquals(expected.size() + 1, positions.size());
        int step = Math.max(1, expected.size() / 20);
        for (int from = 0; from < expected.size(); from += step) {
          assertEquals(
              expected.subList(from, expected.size()),
              read(source, number, positions.get(from), expected.size() - from),
              "from record " + from + " at " + positions.get(from));
        }
        assertEquals(List.of(), read(source, number, positions.getLast(), 0));
      }
    }
  }

  @Test
  public void positionsGrowFromTheStartToTheEnd() {
    try (Connection source = connect()) {
      for (int number = 0; number < CONTENTS.size(); number++) {
        var offsets = source.offsets(List.of(split(number))).get(split(number));
        assertNotNull(offsets);
        List<Position> positions = positions(source, number);
        assertEquals(offsets.start(), positions.getFirst().offset());
        assertEquals(offsets.stableEnd(), positions.getLast().offset());
        for (int i = 1; i < positions.size(); i++) {
          assertTrue(positions.get(i - 1).offset() < positions.get(i).offset(), "at " + i);
        }
      }
    }
  }

  @Test
  public void theEndIsKnownWhenItIsReached() {
    try (Connection source = connect();
        SplitReader reader = source.reader("test")) {
      reader.add(split(1), start(source, 1));
      long reached = 0;
      for (int left = CONTENTS.get(1).size(); left > 0; ) {
        RecordBatch batch = next(reader);
        left -= batch.size();
        reached = batch.nextOffset();
        batch.release();
      }
      assertNull(reader.poll(Duration.ZERO));
      assertEquals(reached, reader.endOffset(split(1)));
    }
  }

  @Test
  public void aPausedSplitGivesNothingUntilItIsResumed() {
    try (Connection source = connect();
        SplitReader reader = source.reader("test")) {
      reader.add(split(0), start(source, 0));
      reader.pause(split(0));
      assertNull(reader.poll(Duration.ofMillis(50)));
      reader.resume(split(0));
      RecordBatch batch = next(reader);
      assertEquals("a0", values(batch, 0).getFirst());
      batch.release();
    }
  }

  @Test
  public void aRemovedSplitGivesNothingAndCanBeReadAnew() {
    try (Connection source = connect();
        SplitReader reader = source.reader("test")) {
      reader.add(split(1), start(source, 1));
      next(reader).release();
      reader.remove(split(1));
      assertNull(reader.poll(Duration.ofMillis(50)));
      reader.add(split(1), start(source, 1));
      RecordBatch batch = next(reader);
      assertEquals("b0", values(batch, 0).getFirst());
      batch.release();
    }
  }

  @Test
  public void aWaitingPollCanBeWoken() {
    try (Connection source = connect();
        SplitReader reader = source.reader("test")) {
      reader.wakeup();
      long begin = System.nanoTime();
      assertNull(reader.poll(PATIENCE));
      assertTrue(System.nanoTime() - begin < PATIENCE.toNanos() / 2, "It was not woken.");
    }
  }

  @Test
  public void aSplitThatDoesNotExistIsNamed() {
    Split none = split(CONTENTS.size());
    try (Connection source = connect()) {
      LogException failure = assertThrows(LogException.class, () -> source.offsets(List.of(none)));
      assertTrue(String.valueOf(failure.getMessage()).contains("contract"), failure::toString);
    }
  }

  private static Position start(Connection source, int number) {
    var offsets = source.offsets(List.of(split(number))).get(split(number));
    assertNotNull(offsets);
    return Position.of(offsets.start());
  }

  /// The position before each record, and that behind the last.
  private static List<Position> positions(Connection source, int number) {
    List<Position> positions = new ArrayList<>();
    try (SplitReader reader = source.reader("test")) {
      reader.add(split(number), start(source, number));
      while (true) {
        RecordBatch batch = next(reader);
        for (int i = 0; i < batch.size(); i++) {
          positions.add(batch.position(i));
        }
        Position behind = batch.position(batch.size());
        batch.release();
        if (positions.size() >= CONTENTS.get(number).size()) {
          positions.add(behind);
          return positions;
        }
      }
    }
  }

  private static List<String> read(Connection source, int number, Position from, int count) {
    List<String> values = new ArrayList<>();
    try (SplitReader reader = source.reader("test")) {
      reader.add(split(number), from);
      while (values.size() < count) {
        RecordBatch batch = next(reader);
        values.addAll(values(batch, 0));
        batch.release();
      }
      assertNull(reader.poll(Duration.ZERO));
    }
    return values;
  }

  private static RecordBatch next(SplitReader reader) {
    RecordBatch batch = reader.poll(PATIENCE);
    assertNotNull(batch, "Nothing came in " + PATIENCE);
    return batch;
  }

  private static List<String> values(RecordBatch batch, int from) {
    List<String> values = new ArrayList<>();
    Bytes view = new Bytes();
    for (int i = from; i < batch.size(); i++) {
      values.add(batch.value(i, view).toUtf8());
    }
    return values;
  }
}
