package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.DiskImageContract;
import dev.millrace.testkit.contract.NumberedIngests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksImageTest extends DiskImageContract {
  @TempDir private Path directory;

  @Override
  protected Disks openDisks() {
    return new RocksDisks(directory.resolve("app-0"), RocksDiskConfig.defaults());
  }

  @Override
  protected boolean essential(String file) {
    return file.equals("FORMAT") || file.equals("CURRENT");
  }

  @Test
  void anImageIsASecondNameAndGoneWhenItIsClosedOrItsProcessIsDead() throws IOException {
    NumberedIngests ingests = new NumberedIngests(3, 50);
    try (Disks disks = openDisks();
        Disk disk = disks.open("1-3")) {
      ingests.ingest(disk, 1);
      DiskImage image = disk.image();
      assertNotNull(image);
      String name = tasks().getFirst();
      assertTrue(name.startsWith(".image-1-3."), name);
      Path folder = directory.resolve("app-0/tasks").resolve(name);
      for (DiskImage.File file : image.files()) {
        if (file.lasting()) {
          Path original = directory.resolve("app-0/tasks/1-3/db").resolve(file.name());
          assertTrue(Files.isSameFile(original, folder.resolve(file.name())));
        }
      }
      image.close();
      assertEquals(List.of("1-3"), tasks());
      assertNotNull(disk.image());
      disk.close();
      try (Disk reopened = disks.open("1-3")) {
        assertNotNull(reopened.image());
        assertEquals(3, tasks().size(), "each has a name of its own");
      }
    }
    openDisks().close();
    assertEquals(List.of("1-3"), tasks());
  }

  private List<String> tasks() throws IOException {
    Path tasks = directory.resolve("app-0/tasks");
    try (Stream<Path> paths = Files.list(tasks)) {
      return paths.map(path -> tasks.relativize(path).toString()).sorted().toList();
    }
  }
}
