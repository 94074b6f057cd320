package dev.millrace.internal.state.rocksdb;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// A process that makes a task's disk of the files of an image, as a restore from a snapshot does,
/// opens it, and wipes it, again and again. It says 1 behind the first, 2 behind the second.
final class RestagingProcess {
  static final int ROUNDS = 2;

  private RestagingProcess() {}

  /// @param arguments the state directory, and the one with the files
  public static void main(String[] arguments) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of(arguments[1]))) {
      files = all.sorted().toList();
    }
    try (Disks disks = new RocksDisks(Path.of(arguments[0]), RocksDiskConfig.defaults())) {
      for (int round = 0; round < ROUNDS; round++) {
        restage(disks, files);
        try (Disk disk = disks.open(IngestingProcess.TASK)) {
          Objects.requireNonNull(disk.position(), "What was published is empty.");
        }
        IngestingProcess.say(1);
        disks.wipe(IngestingProcess.TASK);
        IngestingProcess.say(2);
      }
      restage(disks, files);
    }
    IngestingProcess.say(1);
  }

  private static void restage(Disks disks, List<Path> files) throws IOException {
    try (DiskStage stage = disks.stage(IngestingProcess.TASK)) {
      for (Path file : files) {
        try (InputStream content = Files.newInputStream(file)) {
          stage.write(file.getFileName().toString(), content);
        }
      }
      stage.publish();
    }
  }
}
