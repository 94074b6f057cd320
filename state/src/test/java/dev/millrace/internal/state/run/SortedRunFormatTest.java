package dev.millrace.internal.state.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of sorted runs, as they are written for ever. The golden ones were written by the
/// first version of the format.
class SortedRunFormatTest {
  private static final String TASK = "1-3";
  private static final String MANIFEST = "1-3.manifest";
  private static final List<String> GOLDEN =
      List.of(MANIFEST, "1-3.run-000000000001", "1-3.run-000000000002");

  @TempDir private Path directory;

  @Test
  void theGoldenFilesAreRead() throws IOException {
    for (String name : GOLDEN) {
      Files.write(directory.resolve(name), golden(name));
    }
    try (Disks disks = open();
        Disk disk = disks.open(TASK)) {
      assertArrayEquals(utf8("position 2"), disk.position());
      assertNull(disk.get(Bytes.ofUtf8("apple")));
      assertArrayEquals(utf8("2"), disk.get(Bytes.ofUtf8("banana")));
      assertArrayEquals(new byte[0], disk.get(Bytes.of(new byte[] {0})));
      assertArrayEquals(new byte[5000], disk.get(Bytes.of(new byte[] {-1, -1})));
    }
  }

  @Test
  void whatIsWrittenIsByteForByteAsTheGoldenFiles() throws IOException {
    write();
    for (String name : GOLDEN) {
      assertArrayEquals(golden(name), Files.readAllBytes(directory.resolve(name)), name);
    }
  }

  @Test
  void anotherVersionIsRefusedAndKept() throws IOException {
    write();
    Path manifest = directory.resolve(MANIFEST);
    byte[] bytes = Files.readAllBytes(manifest);
    ByteBuffer.wrap(bytes).putShort(4, (short) 7);
    int end = bytes.length - Integer.BYTES;
    ByteBuffer.wrap(bytes).putInt(end, Manifest.checksum(bytes, 0, end));
    Files.write(manifest, bytes);
    try (Disks disks = open()) {
      DiskException refusal = assertThrows(DiskException.class, () -> disks.open(TASK));
      assertEquals(DiskException.Kind.IO, refusal.kind());
      for (String part : List.of(MANIFEST, "version 7", "version 1", "delete")) {
        assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
      }
    }
    assertArrayEquals(bytes, Files.readAllBytes(manifest));
  }

  private Disks open() {
    return new SortedRunDisks(new LocalFiles(directory));
  }

  private void write() {
    try (Disks disks = open();
        Disk disk = disks.open(TASK)) {
      disk.ingest(
          new ListRun(
              List.of(
                  new Entry(new byte[] {0}, new byte[0]),
                  new Entry(utf8("apple"), utf8("1")),
                  new Entry(new byte[] {-1, -1}, new byte[5000]))),
          utf8("position 1"));
      disk.ingest(
          new ListRun(
              List.of(new Entry(utf8("apple"), null), new Entry(utf8("banana"), utf8("2")))),
          utf8("position 2"));
    }
  }

  private static byte[] golden(String name) throws IOException {
    String resource = "/golden/sorted-runs-1/" + name;
    try (InputStream in = SortedRunFormatTest.class.getResourceAsStream(resource)) {
      assertNotNull(in, resource);
      return in.readAllBytes();
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private record Entry(byte[] key, byte @Nullable [] value) {}

  private static final class ListRun implements Disk.SortedRun {
    private final List<Entry> entries;
    private int at = -1;

    ListRun(List<Entry> entries) {
      this.entries = entries;
    }

    @Override
    public boolean next() {
      at++;
      return at < entries.size();
    }

    @Override
    public Bytes key() {
      return Bytes.of(entries.get(at).key());
    }

    @Override
    public @Nullable Bytes value() {
      byte[] value = entries.get(at).value();
      return value == null ? null : Bytes.of(value);
    }
  }
}
