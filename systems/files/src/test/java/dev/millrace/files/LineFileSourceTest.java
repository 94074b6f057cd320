package dev.millrace.files;

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
import dev.millrace.testkit.contract.SourceContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFileSourceTest extends SourceContract {
  private static final Split FIRST = new Split("lines", 0);

  @TempDir private Path directory;

  @Override
  protected Connection connect(String stream, List<List<String>> contents) {
    for (int i = 0; i < contents.size(); i++) {
      write("part-" + i + ".jsonl", String.join("\n", contents.get(i)) + "\n");
    }
    return new LineFileSplits(stream, directory, false);
  }

  private void write(String file, String text) {
    try {
      Files.writeString(
          directory.resolve(file), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> readAll(boolean lastLineCounts) {
    List<String> lines = new ArrayList<>();
    try (Connection source = new LineFileSplits("lines", directory, lastLineCounts);
        SplitReader reader = source.reader("test")) {
      reader.add(FIRST, Position.of(0));
      drain(reader, lines);
    }
    return lines;
  }

  private static void drain(SplitReader reader, List<String> to) {
    for (RecordBatch batch = reader.poll(Duration.ZERO);
        batch != null;
        batch = reader.poll(Duration.ZERO)) {
      for (int i = 0; i < batch.size(); i++) {
        to.add(batch.value(i, new Bytes()).toUtf8());
      }
      batch.release();
    }
  }

  @Test
  void emptyLinesAreNoRecordsAndBothLineEndsAreKnown() {
    write("a", "one\r\n\n\r\ntwo\nthree\r\n");
    assertEquals(List.of("one", "two", "three"), readAll(false));
  }

  @Test
  void whatFollowsTheLastLineEndWaitsForItsOwnUnlessReadingIsBounded() {
    write("a", "one\ntw");
    assertEquals(List.of("one"), readAll(false));
    assertEquals(List.of("one", "tw"), readAll(true));
  }

  @Test
  void aFileThatGrowsIsReadOn() {
    write("a", "one\ntw");
    List<String> lines = new ArrayList<>();
    try (Connection source = new LineFileSplits("lines", directory, false);
        SplitReader reader = source.reader("test")) {
      reader.add(FIRST, Position.of(0));
      drain(reader, lines);
      assertEquals(4, reader.endOffset(FIRST));
      write("a", "o\nthree\n");
      drain(reader, lines);
    }
    assertEquals(List.of("one", "two", "three"), lines);
  }

  @Test
  void namesThatBeginWithADotOrAnUnderscoreAreLeftOut() {
    write(".hidden", "no\n");
    write("_SUCCESS", "no\n");
    write("a", "yes\n");
    try (Connection source = new LineFileSplits("lines", directory, false)) {
      assertEquals(1, source.splits());
    }
  }

  @Test
  void anEmptyDirectoryIsRefused() {
    LogException failure =
        assertThrows(LogException.class, () -> new LineFileSplits("lines", directory, false));
    assertEquals(LogException.Kind.MISSING, failure.kind());
    Path none = directory.resolve("none");
    failure = assertThrows(LogException.class, () -> new LineFileSplits("lines", none, false));
    assertEquals(LogException.Kind.MISSING, failure.kind());
    assertTrue(String.valueOf(failure.getMessage()).contains(none.toString()), failure::toString);
  }

  @Test
  void anotherFileInAFilesPlaceIsNoticed() throws IOException {
    write("b", "one\ntwo\n");
    Position position;
    try (Connection source = new LineFileSplits("lines", directory, false);
        SplitReader reader = source.reader("test")) {
      reader.add(FIRST, Position.of(0));
      RecordBatch batch = reader.poll(Duration.ofSeconds(1));
      assertNotNull(batch);
      position = batch.position(1);
      batch.release();
    }
    write("a", "new\nnew\n");
    assertLost(position);
    Files.delete(directory.resolve("a"));
    Files.writeString(directory.resolve("b"), "x");
    assertLost(position);
  }

  private void assertLost(Position position) {
    try (Connection source = new LineFileSplits("lines", directory, false);
        SplitReader reader = source.reader("test")) {
      LogException failure = assertThrows(LogException.class, () -> reader.add(FIRST, position));
      assertEquals(LogException.Kind.POSITION_LOST, failure.kind());
      assertNull(reader.poll(Duration.ZERO));
    }
  }
}
