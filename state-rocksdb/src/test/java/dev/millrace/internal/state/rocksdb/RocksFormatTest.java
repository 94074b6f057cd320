package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.MapRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A task's directory written by the first version of the layout, with RocksDB 11.8.1, is read for
/// ever.
class RocksFormatTest {
  private static final String TASK = "1-3";

  @TempDir private Path state;

  @Test
  void theGoldenDirectoryIsReadAndWritten() throws IOException {
    for (String name :
        List.of("FORMAT", "db/CURRENT", "db/MANIFEST-000009", "db/000012.sst", "db/000013.sst")) {
      Path target = state.resolve("tasks").resolve(TASK).resolve(name);
      Files.createDirectories(target.getParent());
      Files.write(target, golden(name));
    }
    try (Disks disks = open();
        Disk disk = disks.open(TASK)) {
      assertArrayEquals(utf8("position 2"), disk.position());
      assertNull(disk.get(Bytes.ofUtf8("apple")));
      assertArrayEquals(utf8("2"), disk.get(Bytes.ofUtf8("banana")));
      assertArrayEquals(new byte[0], disk.get(Bytes.of(new byte[] {0})));
      assertArrayEquals(new byte[5000], disk.get(Bytes.of(new byte[] {-1, -1})));
      TreeMap<Bytes, byte @Nullable []> entries = new TreeMap<>();
      entries.put(Bytes.ofUtf8("apple"), utf8("3"));
      disk.ingest(new MapRun(entries), utf8("position 3"));
    }
    try (Disks disks = open();
        Disk disk = disks.open(TASK)) {
      assertArrayEquals(utf8("position 3"), disk.position());
      assertArrayEquals(utf8("3"), disk.get(Bytes.ofUtf8("apple")));
      assertArrayEquals(utf8("2"), disk.get(Bytes.ofUtf8("banana")));
    }
  }

  private Disks open() {
    return new RocksDisks(state, RocksDiskConfig.defaults());
  }

  private static byte[] golden(String name) throws IOException {
    String resource = "/golden/rocksdb-1/" + name;
    try (InputStream in = RocksFormatTest.class.getResourceAsStream(resource)) {
      assertNotNull(in, resource);
      return in.readAllBytes();
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
