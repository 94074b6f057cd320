package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.Disks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.rocksdb.util.Environment;

/// The one promise of a disk, kept by RocksDB when the process is killed at the n-th system call
/// that writes, for each n, and when that call fails. Needs `strace`, and `unshare` for a file
/// system of its own; takes minutes, so it is run with `-Pthorough` only, two tests at a time.
@Tag("thorough")
@Execution(ExecutionMode.CONCURRENT)
class RocksSystemCallTest {
  private static final List<String> WRITING_CALLS =
      List.of(
          "write",
          "pwrite64",
          "fdatasync",
          "fsync",
          "sync_file_range",
          "link",
          "rename",
          "unlink",
          "ftruncate",
          "fallocate",
          "mkdir");

  private static final int INGESTS = 18;
  private static final long IMAGE_SEED = 7;
  private static final int KILLED = 128 + 9;

  @TempDir private Path temporary;
  private Path library;

  /// A library that is found is not unpacked, which would be a thousand writes more.
  @BeforeEach
  void unpackLibrary() throws IOException {
    library = Files.createDirectory(temporary.resolve("library"));
    String name = Environment.getJniLibraryFileName("rocksdb");
    try (InputStream content = Environment.class.getResourceAsStream("/" + name)) {
      Files.copy(content, library.resolve(name));
    }
  }

  @Test
  void aKillAtAnyWriteLeavesAPrefixOfTheIngests() throws InterruptedException {
    int kills = 0;
    for (String call : WRITING_CALLS) {
      boolean killed = true;
      for (int at = 1; killed; at++) {
        String about = "kill at %s %d".formatted(call, at);
        Path state = temporary.resolve("state-%s-%d".formatted(call, at));
        try (IngestingProcess process =
            start(call, "signal=KILL:when=" + at, state, at, INGESTS, 0)) {
          long acknowledged = process.awaitEnd();
          killed = process.exitCode() == KILLED;
          kills += killed ? 1 : 0;
          check(state, at, acknowledged, about);
        }
        killAgain(state, at, about);
      }
    }
    assertTrue(kills > 150, "only " + kills + " kills");
  }

  /// As for a restore from a snapshot, and for a wipe: there is all of it or nothing.
  @Test
  void aKillAtAnyWriteLeavesADiskThatWasMadeOfAnImageWholeOrEmpty()
      throws IOException, InterruptedException {
    Path image = image();
    int kills = 0;
    int whole = 0;
    for (String call : WRITING_CALLS) {
      boolean killed = true;
      for (int at = 1; killed; at++) {
        String about = "kill at %s %d".formatted(call, at);
        Path state = temporary.resolve("staged-%s-%d".formatted(call, at));
        try (IngestingProcess process =
            restage(tracer(call, "signal=KILL:when=" + at), state, image)) {
          long said = process.awaitEnd();
          killed = process.exitCode() == KILLED;
          kills += killed ? 1 : 0;
          whole += checkStaged(state, said, about) ? 1 : 0;
        }
        try (IngestingProcess process = restage(withLibrary(), state, image)) {
          assertEquals(1, process.awaitEnd(), about);
          assertEquals(0, process.exitCode(), about);
          assertTrue(checkStaged(state, 1, about + ", done again"), about);
        }
      }
    }
    System.out.printf("staged and wiped: %d kills, %d disks were whole%n", kills, whole);
    assertTrue(kills > 60 && whole > 5, kills + " kills, whole " + whole);
  }

  /// The files of a disk with some ingests.
  private Path image() throws IOException {
    Path files = Files.createDirectory(temporary.resolve("image"));
    try (Disks disks = new RocksDisks(temporary.resolve("source"), RocksDiskConfig.defaults());
        Disk disk = disks.open(IngestingProcess.TASK)) {
      for (int number = 1; number <= INGESTS; number++) {
        IngestingProcess.ingests(IMAGE_SEED).ingest(disk, number);
      }
      try (DiskImage image = disk.image()) {
        for (DiskImage.File file : image.files()) {
          try (InputStream content = image.open(file.name())) {
            Files.copy(content, files.resolve(file.name()));
          }
        }
      }
    }
    return files;
  }

  private IngestingProcess restage(List<String> tracer, Path state, Path image) {
    return IngestingProcess.start(
        RestagingProcess.class,
        tracer,
        List.of("-Djava.library.path=" + library),
        List.of(state.toString(), image.toString()),
        0);
  }

  /// @return whether it is whole; otherwise it is empty
  private static boolean checkStaged(Path state, long said, String about) {
    try (Disks disks = new RocksDisks(state, RocksDiskConfig.defaults());
        Disk disk = disks.open(IngestingProcess.TASK)) {
      if (disk.position() == null) {
        try (Disk.Cursor cursor = disk.range(Bytes.of(new byte[] {0}), null)) {
          assertFalse(cursor.next(), about + ": something is left");
        }
        return false;
      }
      IngestingProcess.ingests(IMAGE_SEED).check(disk, INGESTS, INGESTS, about + ", said " + said);
      return true;
    }
  }

  @Test
  void aFailedWriteLeavesAPrefixOfTheIngests() throws InterruptedException {
    for (String call : List.of("write", "fdatasync", "fsync", "link", "rename", "unlink")) {
      for (String error : List.of("EIO", "ENOSPC")) {
        for (int at = 1; at <= 60; at += 6) {
          fail(call, error, at, "");
        }
        for (int at = 3; at <= 60; at += 19) {
          fail(call, error, at, "+");
        }
      }
    }
  }

  @Test
  void aFullFileSystemTakesNothingUntilThereIsSpaceAgain()
      throws IOException, InterruptedException {
    Path small = Files.createDirectory(temporary.resolve("small"));
    String mount = "mount -t tmpfs -o size=40m tmpfs \"$0\" && exec \"$@\"";
    List<String> command =
        List.of(
            "unshare",
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            mount,
            small.toString(),
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.library.path=" + library,
            "-cp",
            System.getProperty("java.class.path"),
            FullDiskProcess.class.getName(),
            small.toString());
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertEquals(0, process.waitFor());
  }

  /// @param onwards whether all later calls fail too
  private void fail(String call, String error, int at, String onwards) throws InterruptedException {
    String fault = "error=%s:when=%d%s".formatted(error, at, onwards);
    String about = call + " with " + fault;
    Path state = temporary.resolve("state-%s-%s-%d%s".formatted(call, error, at, onwards));
    try (IngestingProcess process = start(call, fault, state, at, INGESTS, 0)) {
      long acknowledged = process.awaitEnd();
      check(state, at, acknowledged, about);
      if (error.equals("ENOSPC") && onwards.isEmpty() && acknowledged > 0) {
        assertEquals(INGESTS, acknowledged, about + ": it should have recovered");
      }
    }
  }

  /// Goes on from what the first kill has left, so that recovery is killed too.
  private void killAgain(Path state, int at, String about) throws InterruptedException {
    Random random = new Random(at);
    String call = WRITING_CALLS.get(random.nextInt(WRITING_CALLS.size()));
    int again = 1 + random.nextInt(20);
    long held = check(state, at, 0, about);
    try (IngestingProcess process =
        start(call, "signal=KILL:when=" + again, state, at, held + INGESTS, held)) {
      long acknowledged = process.awaitEnd();
      check(state, at, acknowledged, about + ", and again at %s %d".formatted(call, again));
    }
  }

  private IngestingProcess start(
      String call, String fault, Path state, long seed, long last, long acknowledged) {
    return IngestingProcess.start(
        tracer(call, fault),
        List.of("-Djava.library.path=" + library),
        state,
        seed,
        last,
        acknowledged);
  }

  /// Runs a process with the library that is unpacked already.
  private List<String> withLibrary() {
    return List.of("env", "ROCKSDB_SHAREDLIB_DIR=" + library);
  }

  private List<String> tracer(String call, String fault) {
    List<String> tracer = new ArrayList<>(withLibrary());
    tracer.addAll(
        List.of(
            "strace",
            "-f",
            "-qq",
            "-o",
            temporary.resolve("trace").toString(),
            "-e",
            "trace=" + call,
            "-e",
            "inject=" + call + ":" + fault));
    return tracer;
  }

  private static long check(Path state, long seed, long acknowledged, String about) {
    try (Disks disks = new RocksDisks(state, RocksDiskConfig.defaults());
        Disk disk = disks.open(IngestingProcess.TASK)) {
      return IngestingProcess.ingests(seed).check(disk, acknowledged, Long.MAX_VALUE, about);
    }
  }
}
