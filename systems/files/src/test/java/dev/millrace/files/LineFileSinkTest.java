package dev.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.ExternalSink;
import dev.millrace.spi.ExternalSink.Delivery;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.SinkException;
import dev.millrace.testkit.contract.SinkContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFileSinkTest extends SinkContract {
  @TempDir private Path directory;

  @Override
  protected ExternalSink<?, String> sink() {
    return sink("lines");
  }

  private ExternalSink<?, String> sink(String name) {
    return LineFiles.sink(name, directory.resolve("out")).value(Serdes.string());
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
    return directory.resolve("out").resolve("lines-" + task + ".jsonl");
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
  void theCheckRefusesALineEnd() {
    sink().check(Bytes.ofUtf8("a"));
    SerdeException refused =
        assertThrows(SerdeException.class, () -> sink().check(Bytes.ofUtf8("a\nb")));
    assertTrue(String.valueOf(refused.getMessage()).contains("byte 1"), refused::toString);
  }

  @Test
  void aRecordOfTwoLinesIsNeverWritten() {
    try (Delivery delivery = sink().open("0-0", "c")) {
      assertThrows(IllegalStateException.class, () -> delivery.deliver(1, batch("a\nb")));
      delivery.deliver(1, batch("a"));
      assertEquals(List.of("a"), contents("0-0"));
    }
  }

  @Test
  void sinksInOneDirectoryKeepTheirLinesApart() throws IOException {
    try (Delivery orders = sink("orders").open("0-0", "c");
        Delivery alerts = sink("alerts").open("0-0", "c")) {
      orders.deliver(1, batch("order 1"));
      alerts.deliver(1, batch("alert 1"));
    }
    try (Delivery orders = sink("orders").open("0-0", "c");
        Delivery alerts = sink("alerts").open("0-0", "c")) {
      orders.deliver(1, batch("order 1"));
      alerts.deliver(1, batch("alert 1"));
      alerts.deliver(2, batch("alert 2"));
    }
    List<String> all = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory.resolve("out"), "*.jsonl")) {
      for (Path each : files) {
        all.addAll(Files.readAllLines(each));
      }
    }
    assertEquals(List.of("alert 1", "alert 2", "order 1"), all.stream().sorted().toList());
  }

  @Test
  void linesOfWhichNoFileSaysTheCommitAreRefusedAndKept() throws IOException {
    try (Delivery delivery = sink().open("0-0", "c")) {
      delivery.deliver(1, batch("a"));
    }
    Path commit = file("0-0").resolveSibling(".lines-0-0.commit");
    Files.delete(commit);
    SinkException failure =
        assertThrows(SinkException.class, () -> sink().open("0-0", "c").close());
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(file("0-0").toString()), message);
    assertTrue(message.contains(commit.toString()), message);
    assertEquals(List.of("a"), contents("0-0"));
  }

  @Test
  void aNewFileWithoutLinesIsOpenedAgain() {
    sink().open("0-0", "c").close();
    try (Delivery delivery = sink().open("0-0", "c")) {
      delivery.deliver(1, batch("a"));
    }
    assertEquals(List.of("a"), contents("0-0"));
  }

  @Test
  void nobodyWritesWhileAnotherProcessDelivers() throws IOException {
    try (Delivery delivery = sink().open("0-0", "c")) {
      Path lock = file("0-0").resolveSibling(".lines-0-0.lock");
      try (FileChannel other = FileChannel.open(lock, StandardOpenOption.WRITE);
          FileLock held = other.lock()) {
        assertTrue(held.isValid());
        SinkException failure =
            assertThrows(SinkException.class, () -> delivery.deliver(1, batch("a")));
        assertTrue(
            String.valueOf(failure.getMessage()).contains(lock.toString()), failure::toString);
      }
      delivery.deliver(1, batch("a"));
    }
    assertEquals(List.of("a"), contents("0-0"));
  }
}
