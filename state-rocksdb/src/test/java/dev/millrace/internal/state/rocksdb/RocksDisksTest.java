package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.MapRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The directory around the databases: who may use it, what is found in it, and what is refused.
class RocksDisksTest {
  private static final String TASK = "1-3";

  @TempDir private Path temporary;
  private Path state;

  @BeforeEach
  void name() {
    state = temporary.resolve("app-0");
  }

  @Test
  void anotherProcessIsToldWhoHoldsTheTaskAndMayHaveTheOthers() throws InterruptedException {
    try (Disks disks = open();
        IngestingProcess holder =
            IngestingProcess.start(List.of(), List.of(), state, 1, Long.MAX_VALUE, 0)) {
      assertTrue(holder.awaitAcknowledgement());
      String held = IngestingProcess.TASK;
      for (Runnable attempt :
          List.<Runnable>of(
              () -> disks.open(held), () -> disks.wipe(held), () -> disks.stage(held))) {
        DiskException refusal = assertKind(DiskException.Kind.IN_USE, attempt);
        for (String part :
            List.of(
                state.resolve("tasks").resolve(held).toString(),
                "pid " + holder.pid(),
                "started 20",
                "stop that process")) {
          assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
        }
      }
      try (Disk other = disks.open("9-9")) {
        ingest(other);
        assertEquals(List.of("9-9", held).stream().sorted().toList(), List.copyOf(disks.stored()));
      }
      disks.wipe("9-9");
      holder.kill();
      disks.open(held).close();
    }
  }

  @Test
  void twoOfOneProcessShareAHomeAndNoTask() {
    try (Disks one = open();
        Disks two = open();
        Disk disk = one.open(TASK)) {
      DiskException refusal = assertKind(DiskException.Kind.IN_USE, () -> two.open(TASK));
      assertTrue(
          refusal.getMessage().contains("pid " + ProcessHandle.current().pid()),
          refusal.getMessage());
      two.open("1-4").close();
      ingest(disk);
      disk.close();
      try (Disk next = two.open(TASK)) {
        assertArrayEquals(new byte[] {1}, next.get(Bytes.ofUtf8("a")));
        assertKind(DiskException.Kind.IN_USE, () -> one.open(TASK));
      }
      one.open(TASK).close();
    }
  }

  @Test
  void aTaskThatIsAboutToBeGivenUpIsAwaited() throws Exception {
    try (Disks one = open();
        Disks two = new RocksDisks(state, RocksDiskConfig.defaults(), Duration.ofSeconds(30));
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      Disk disk = one.open(TASK);
      ingest(disk);
      Future<byte[]> read =
          other.submit(() -> {
            try (Disk taken = two.open(TASK)) {
              return taken.get(Bytes.ofUtf8("a"));
            }
          });
      Thread.sleep(100);
      assertFalse(read.isDone());
      disk.close();
      assertArrayEquals(new byte[] {1}, read.get());
    }
  }

  @Test
  void aStageKeepsTheTaskFromNeighbours() {
    try (Disks one = open();
        Disks two = open()) {
      DiskStage stage = one.stage(TASK);
      assertKind(DiskException.Kind.IN_USE, () -> two.open(TASK));
      stage.close();
      two.open(TASK).close();
    }
  }

  @Test
  void onlyTheFilesOfOwnTasksAreCounted() {
    try (RocksDisks one = new RocksDisks(state, RocksDiskConfig.defaults());
        RocksDisks two = new RocksDisks(state, RocksDiskConfig.defaults())) {
      assertEquals(0, one.fileBytes());
      try (Disk disk = one.open(TASK)) {
        ingest(disk);
        assertTrue(one.fileBytes() > 1_000, () -> one.fileBytes() + " bytes");
        assertEquals(0, two.fileBytes());
      }
      assertEquals(0, one.fileBytes());
    }
  }

  @Test
  void directoriesArePrivate() throws IOException {
    Files.createDirectories(state);
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    fill();
    try (Stream<Path> all = Files.walk(state)) {
      for (Path directory : all.filter(Files::isDirectory).toList()) {
        assertEquals(
            "rwx------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)),
            directory.toString());
      }
    }
  }

  @Test
  void symbolicLinksAreNotFollowed() throws IOException {
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    Files.createSymbolicLink(state, elsewhere);
    assertKind(DiskException.Kind.IO, this::open);
    Files.delete(state);

    fill();
    for (Path linked :
        List.of(
            task(),
            task().resolve("db"),
            task().resolve("FORMAT"),
            fileOf(name -> name.endsWith(".sst")))) {
      Path moved = temporary.resolve("moved");
      Files.move(linked, moved);
      Files.createSymbolicLink(linked, moved);
      assertKind(DiskException.Kind.IO, this::openTask);
      Files.delete(linked);
      Files.move(moved, linked);
    }
    openTask();
  }

  @Test
  void aLinkIsWipedButNotWhatItPointsTo() throws IOException {
    fill();
    Path precious = Files.writeString(temporary.resolve("precious"), "kept");
    Files.createSymbolicLink(task().resolve("link"), precious);
    try (Disks disks = open()) {
      disks.wipe(TASK);
    }
    assertFalse(Files.exists(task(), LinkOption.NOFOLLOW_LINKS));
    assertEquals("kept", Files.readString(precious));
  }

  @Test
  void anotherFormatVersionIsRefusedAndKept() throws IOException {
    fill();
    String lines = "millrace disk on rocksdb\nformat version: 7\nwritten by: RocksDB 99.1\n";
    CRC32C crc = new CRC32C();
    crc.update(lines.getBytes(StandardCharsets.US_ASCII));
    Files.writeString(task().resolve("FORMAT"), lines + "crc32c: %08x\n".formatted(crc.getValue()));
    DiskException refusal = assertKind(DiskException.Kind.IO, this::openTask);
    for (String part :
        List.of("version 7", "version 1", "RocksDB 99.1", "run a version", "delete")) {
      assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
    }
    assertTrue(Files.exists(task().resolve("db/CURRENT")));
  }

  @Test
  void aDamagedFormatFileIsCorrupt() throws IOException {
    fill();
    Path format = task().resolve("FORMAT");
    String content = Files.readString(format);
    for (String damaged :
        List.of("", content.replace("version: 1", "version: 2"), content + "x", "x".repeat(5000))) {
      Files.writeString(format, damaged);
      assertKind(DiskException.Kind.CORRUPT, this::openTask);
    }
    Files.delete(format);
    assertKind(DiskException.Kind.CORRUPT, this::openTask);
    Files.writeString(format, content);
    openTask();
  }

  @Test
  void aMissingFileOfTheDatabaseIsCorrupt() throws IOException {
    for (String missing : List.of("CURRENT", "MANIFEST", ".sst")) {
      fill();
      Files.delete(fileOf(name -> name.contains(missing)));
      assertKind(DiskException.Kind.CORRUPT, this::openTask);
      try (Disks disks = open()) {
        disks.wipe(TASK);
      }
    }
  }

  @Test
  void leftoversOfKilledProcessesAreDeleted() throws IOException {
    fill();
    Path tasks = state.resolve("tasks");
    Path halfBuilt = Files.createDirectories(tasks.resolve(".new-9-9/db"));
    Path halfWiped = Files.createDirectories(tasks.resolve(".wiped-9-8/db"));
    Files.writeString(halfWiped.resolve("000001.sst"), "rest");
    Path halfIngested = Files.writeString(task().resolve("ingest/run-1.sst"), "rest");
    Path imageOfDead = Files.createDirectories(tasks.resolve(".image-9-9.1"));
    openTask();
    assertFalse(Files.exists(halfBuilt.getParent()));
    assertFalse(Files.exists(halfWiped.getParent()));
    assertFalse(Files.exists(halfIngested));
    assertFalse(Files.exists(imageOfDead));
  }

  /// What a neighbour is making looks like what a dead process has left.
  @Test
  void whatANeighbourIsMakingStays() throws IOException {
    try (Disks one = open();
        Disk disk = one.open(TASK)) {
      ingest(disk);
      DiskImage image = Objects.requireNonNull(disk.image());
      Path making = Files.createDirectories(state.resolve("tasks").resolve(".new-" + TASK));
      open().close();
      assertTrue(Files.exists(making));
      String current = image.files().getFirst().name();
      image.open(current).close();
      disk.close();
      one.open(TASK).close();
      image.open(current).close();
      image.close();
      assertFalse(Files.exists(making));
    }
  }

  @Test
  void aFileLeftUnderBothNamesIsNotHarmedByTheNextIngests() throws IOException {
    fill();
    Files.createLink(task().resolve("ingest/run-1.sst"), fileOf(name -> name.endsWith(".sst")));
    fill();
    openTask();
  }

  /// In a process of its own: one that has the library unpacks nothing.
  @Test
  void theLibraryIsUnpackedIntoTheStateDirectoryOnly() throws IOException, InterruptedException {
    try (IngestingProcess process = IngestingProcess.start(List.of(), List.of(), state, 1, 1, 0)) {
      assertEquals(1, process.awaitEnd());
    }
    try (Stream<Path> unpacked = Files.list(state.resolve("native"))) {
      assertTrue(
          unpacked.anyMatch(file -> file.getFileName().toString().startsWith("librocksdbjni")));
    }
    assertFalse(
        Stream.of(String.valueOf(System.getProperty("java.io.tmpdir")))
            .map(Path::of)
            .flatMap(directory -> Stream.of(directory.toFile().list()))
            .anyMatch(name -> name.startsWith("librocksdbjni")));
  }

  @Test
  void aWipeFreesTheSpace() throws IOException {
    fill();
    try (Disks disks = open()) {
      disks.wipe(TASK);
      try (Stream<Path> left = Files.list(state.resolve("tasks"))) {
        assertEquals(List.of(), left.toList());
      }
    }
  }

  @Test
  void manyRunsAreMergedIntoFewFiles() throws IOException {
    try (Disks disks = open();
        Disk disk = disks.open(TASK)) {
      for (int i = 0; i < 150; i++) {
        TreeMap<Bytes, byte @Nullable []> entries = new TreeMap<>();
        entries.put(Bytes.ofUtf8("a"), new byte[] {1});
        entries.put(Bytes.ofUtf8("key-" + i % 10), new byte[100]);
        disk.ingest(new MapRun(entries), new byte[] {2});
      }
      try (Stream<Path> files = Files.list(task().resolve("db"))) {
        long tables = files.filter(file -> file.toString().endsWith(".sst")).count();
        assertTrue(tables < 50, tables + " files after 150 runs");
      }
    }
    openTask();
  }

  /// Whoever reads metrics does not know when the job ends. A look at a closed cache of RocksDB
  /// ends the process.
  @Test
  void theirMemoryCanBeAskedForWhenTheyAreClosed() {
    RocksDisks disks = new RocksDisks(temporary, RocksDiskConfig.defaults());
    disks.close();
    assertEquals(0, disks.memoryBytes());
  }

  @Test
  void nothingStaysOpen() throws IOException {
    for (int i = 0; i < 5; i++) {
      fill();
      try (Disks disks = open()) {
        Disk disk = disks.open(TASK);
        assertTrue(disk.range(new Bytes(), Bytes.ofUtf8("b")).next());
      }
    }
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      assertEquals(
          List.of(),
          descriptors.filter(Files::isSymbolicLink).map(this::target).toList().stream()
              .filter(target -> target.startsWith(state.toString()))
              .toList());
    }
  }

  /// What a descriptor stands for, or nothing if it is closed by now.
  private String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return "";
    }
  }

  private Disks open() {
    return new RocksDisks(state, RocksDiskConfig.defaults());
  }

  private void openTask() {
    try (Disks disks = open();
        Disk disk = disks.open(TASK)) {
      assertArrayEquals(new byte[] {1}, disk.get(Bytes.ofUtf8("a")));
    }
  }

  private void fill() {
    try (Disks disks = open();
        Disk disk = disks.open(TASK)) {
      ingest(disk);
    }
  }

  private static void ingest(Disk disk) {
    TreeMap<Bytes, byte[]> entries = new TreeMap<>();
    entries.put(Bytes.ofUtf8("a"), new byte[] {1});
    disk.ingest(new MapRun(entries), new byte[] {2});
  }

  private Path task() {
    return state.resolve("tasks").resolve(TASK);
  }

  private Path fileOf(Predicate<String> name) throws IOException {
    try (Stream<Path> files = Files.list(task().resolve("db"))) {
      return files
          .filter(file -> name.test(file.getFileName().toString()))
          .findFirst()
          .orElseThrow();
    }
  }

  private static DiskException assertKind(DiskException.Kind kind, Runnable action) {
    DiskException failure = assertThrows(DiskException.class, action::run);
    assertEquals(kind, failure.kind(), failure.getMessage());
    return failure;
  }
}
