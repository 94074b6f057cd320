package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.MapRun;
import dev.millrace.testkit.contract.NumberedIngests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever happens to the files of a database, nothing wrong is read.
///
/// One thing RocksDB cannot notice: a manifest cut between two records, or in its last one, is what
/// a crash leaves behind. Then the disk holds an earlier prefix of the ingests and says so by its
/// position.
class RocksCorruptionTest {
  private static final String TASK = "1-3";
  private static final long SEED = 5;
  private static final int INGESTS = 11;

  @TempDir private Path temporary;

  @Test
  void aDamagedFileIsNoticedOrHarmless() throws IOException {
    Path intact = temporary.resolve("intact");
    fill(intact);
    int noticed = 0;
    for (long seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      Path damaged = temporary.resolve("damaged");
      copy(intact, damaged);
      Path file = anyFile(damaged, random);
      String about = "seed %d, %s".formatted(seed, file);
      damage(file, random);
      try (Disks disks = open(damaged);
          Disk disk = disks.open(TASK)) {
        long least = file.getFileName().toString().startsWith("MANIFEST") ? 0 : INGESTS;
        new NumberedIngests(SEED, 200).check(disk, least, INGESTS, about);
      } catch (DiskException e) {
        noticed++;
        assertEquals(DiskException.Kind.CORRUPT, e.kind(), () -> about + ": " + e.getMessage());
      }
      delete(damaged);
    }
    assertTrue(noticed > 75, "noticed only " + noticed);
  }

  @Test
  void everyWayOfReadingNoticesABrokenBlock() throws IOException {
    Path state = temporary.resolve("state");
    try (Disks disks = open(state);
        Disk disk = disks.open(TASK)) {
      disk.ingest(thousand((byte) 1), new byte[] {1});
    }
    flipEveryBlock(state);
    try (Disks disks = open(state);
        Disk disk = disks.open(TASK)) {
      Bytes key = Bytes.ofUtf8("key-0500");
      assertCorrupt(() -> disk.get(key));
      assertCorrupt(() -> disk.multiGet(new Bytes[] {key, Bytes.ofUtf8("key-0900")}, 2));
      assertCorrupt(() -> {
        try (Disk.Cursor cursor = disk.range(Bytes.ofUtf8("key-0400"), null)) {
          while (cursor.next()) {
            assertEquals(100, cursor.value().length());
          }
        }
      });
    }
  }

  @Test
  void aBrokenBlockFoundByCompactionStopsTheIngests() throws IOException, InterruptedException {
    Path state = temporary.resolve("state");
    try (Disks disks = open(state);
        Disk disk = disks.open(TASK)) {
      disk.ingest(thousand((byte) 1), new byte[] {1});
    }
    flipEveryBlock(state);
    try (Disks disks = open(state);
        Disk disk = disks.open(TASK)) {
      for (int i = 0; i < 1000; i++) {
        try {
          disk.ingest(thousand((byte) i), new byte[] {2});
          Thread.sleep(5);
        } catch (DiskException e) {
          assertEquals(DiskException.Kind.CORRUPT, e.kind(), e.getMessage());
          assertTrue(i > 1, "compaction starts only after some ingests");
          return;
        }
      }
      fail("a thousand ingests succeeded over a file that cannot be compacted");
    }
  }

  private static void assertCorrupt(Runnable reading) {
    DiskException failure = assertThrows(DiskException.class, reading::run);
    assertEquals(DiskException.Kind.CORRUPT, failure.kind(), failure.getMessage());
  }

  private static Disks open(Path state) {
    return new RocksDisks(state, RocksDiskConfig.defaults());
  }

  private static void fill(Path state) {
    NumberedIngests ingests = new NumberedIngests(SEED, 200);
    try (Disks disks = open(state)) {
      for (int number = 1; number <= INGESTS; number++) {
        try (Disk disk = disks.open(TASK)) {
          ingests.ingest(disk, number);
        }
      }
    }
  }

  private static Disk.SortedRun thousand(byte filling) {
    TreeMap<Bytes, byte @Nullable []> entries = new TreeMap<>();
    Random random = new Random(filling);
    for (int i = 0; i < 1000; i++) {
      byte[] value = new byte[100];
      random.nextBytes(value);
      entries.put(Bytes.ofUtf8("key-%04d".formatted(i)), value);
    }
    return new MapRun(entries);
  }

  /// Flips a bit in each KiB of data but the first few, which hold the position.
  private static void flipEveryBlock(Path state) throws IOException {
    Path table =
        files(state).stream()
            .filter(file -> file.toString().endsWith(".sst"))
            .findFirst()
            .orElseThrow();
    for (int at = 8 << 10; at < 80 << 10; at += 1024) {
      flip(table, 8L * at);
    }
  }

  private static void damage(Path file, Random random) throws IOException {
    long length = Files.size(file);
    switch (random.nextInt(6)) {
      case 0 -> truncate(file, random.nextLong(length));
      case 1 -> zero(file, random.nextLong(length));
      default -> {
        int flips = 1 + random.nextInt(3);
        for (int i = 0; i < flips; i++) {
          flip(file, random.nextLong(8 * length));
        }
      }
    }
  }

  private static void flip(Path file, long bit) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, bit / 8);
      one.put(0, (byte) (one.get(0) ^ 1 << bit % 8)).flip();
      channel.write(one, bit / 8);
    }
  }

  private static void truncate(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }

  private static void zero(Path file, long from) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate((int) Math.min(512, channel.size() - from)), from);
    }
  }

  /// Files with content, of the database and the one beside it.
  private static Path anyFile(Path state, Random random) throws IOException {
    List<Path> files = files(state);
    return files.get(random.nextInt(files.size()));
  }

  private static List<Path> files(Path state) throws IOException {
    try (Stream<Path> all = Files.walk(state.resolve("tasks"))) {
      return all.filter(file -> file.toFile().isFile() && file.toFile().length() > 0)
          .filter(file -> !file.getFileName().toString().startsWith("LOG"))
          .sorted()
          .toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from.resolve("tasks"))) {
      for (Path source : all.toList()) {
        Path target = to.resolve(from.relativize(source));
        Files.createDirectories(target.getParent());
        Files.copy(source, target);
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
