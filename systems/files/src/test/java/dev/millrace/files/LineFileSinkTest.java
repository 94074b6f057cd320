package dev.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.ExternalSink;
import dev.millrace.spi.ExternalSink.Delivery;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.SinkException;
import dev.millrace.testkit.contract.SinkContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFileSinkTest extends SinkContract {
  @TempDir private Path directory;

  @Override
  protected ExternalSink<String> sink() {
    return LineFiles.in("lines", directory.resolve("out")).value(Serdes.string());
  }

  @Override
  protected List<String> contents(String task) {
    try {
      return Files.readAllLines(file(task));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(String task) {
    return directory.resolve("out").resolve(task + ".jsonl");
  }

  private static RecordBatch batch(String value) {
    RecordBatch batch = RecordBatch.create();
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    batch.append(0, 0);
    batch.value(bytes, 0, bytes.length);
    return batch;
  }

  @Test
  void linesThatNoCommitStandsForAreCutOff() throws IOException {
    try (Delivery delivery = sink().open("0-0", "c")) {
      delivery.deliver(1, batch("a"));
    }
    Files.writeString(file("0-0"), "half a li", StandardOpenOption.APPEND);
    try (Delivery delivery = sink().open("0-0", "c")) {
      delivery.deliver(2, batch("b"));
    }
    assertEquals(List.of("a", "b"), contents("0-0"));
  }

  @Test
  void filesOfAnotherChangelogAreRefused() {
    try (Delivery delivery = sink().open("0-0", "one")) {
      delivery.deliver(7, batch("a"));
    }
    SinkException failure =
        assertThrows(SinkException.class, () -> sink().open("0-0", "another").close());
    assertTrue(
        String.valueOf(failure.getMessage()).contains("another changelog"), failure::toString);
    assertEquals(List.of("a"), contents("0-0"));
  }

  @Test
  void aFileThatLostLinesIsRefused() throws IOException {
    try (Delivery delivery = sink().open("0-0", "c")) {
      delivery.deliver(1, batch("a"));
    }
    Files.writeString(file("0-0"), "");
    assertThrows(SinkException.class, () -> sink().open("0-0", "c").close());
  }

  @Test
  void aRecordOfTwoLinesIsRefused() {
    try (Delivery delivery = sink().open("0-0", "c")) {
      assertThrows(SinkException.class, () -> delivery.deliver(1, batch("a\nb")));
      delivery.deliver(1, batch("a"));
      assertEquals(List.of("a"), contents("0-0"));
    }
  }
}
