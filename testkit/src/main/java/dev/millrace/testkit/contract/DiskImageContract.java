package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Tests the contract of every [Disks] whose disks have images and can be restored from them.
///
/// [#openDisks] opens the same state every time, and only once at a time.
public abstract class DiskImageContract {
  private static final String TASK = "1-3";
  private static final String COPY = "1-4";
  private static final int LONG_LIFE = 40;

  private final NumberedIngests ingests = new NumberedIngests(5, 60);

  protected abstract Disks openDisks();

  @Test
  void aDiskMadeOfAnImageIsTheDiskOfThatMoment() throws IOException {
    try (Disks disks = openDisks()) {
      ImageFiles files;
      try (Disk disk = disks.open(TASK)) {
        ingest(disk, 1, 10);
        try (DiskImage image = imageOf(disk)) {
          ingest(disk, 11, LONG_LIFE);
          files = CompletableFuture.supplyAsync(() -> read(image)).join();
        }
        ingests.check(disk, LONG_LIFE, LONG_LIFE, "the disk itself");
      }
      make(disks, COPY, files);
      try (Disk copy = disks.open(COPY)) {
        ingests.check(copy, 10, 10, "the copy");
        ingest(copy, 11, 20);
        ingests.check(copy, 20, 20, "the copy, gone on");
      }
    }
    try (Disks disks = openDisks();
        Disk copy = disks.open(COPY)) {
      ingests.check(copy, 20, 20, "the copy, reopened");
    }
  }

  @Test
  void anImageKnowsItsPosition() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      ingest(disk, 1, 3);
      byte[] position = disk.position();
      try (DiskImage image = imageOf(disk)) {
        ingest(disk, 4, 5);
        assertArrayEquals(position, image.position());
      }
    }
  }

  @Test
  void aDiskWithoutAPositionHasNoImage() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      assertNull(disk.image());
    }
  }

  @Test
  void aFileThatLastsHasOneContent() {
    Map<String, byte[]> lasting = new TreeMap<>();
    int again = 0;
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      for (int number = 1; number <= LONG_LIFE; number++) {
        ingest(disk, number, number);
        try (DiskImage image = imageOf(disk)) {
          ImageFiles files = read(image);
          for (DiskImage.File file : image.files()) {
            byte[] content = Objects.requireNonNull(files.contents().get(file.name()));
            if (file.lasting()) {
              byte[] before = lasting.put(file.name(), content);
              if (before != null) {
                assertArrayEquals(before, content, file.name());
                again++;
              }
            }
          }
        }
      }
    }
    assertTrue(again > 40, "Only " + again + " files came again.");
  }

  @Test
  void manyImagesAreReadWhileTheDiskGoesOn() throws IOException {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      ingest(disk, 1, 5);
      try (DiskImage first = imageOf(disk)) {
        ingest(disk, 6, 12);
        try (DiskImage second = imageOf(disk)) {
          ingest(disk, 13, 25);
          make(disks, "copy-5", read(first));
          first.close();
          first.close();
          ingest(disk, 26, LONG_LIFE);
          make(disks, "copy-12", read(second));
        }
      }
      for (int number : new int[] {5, 12}) {
        try (Disk copy = disks.open("copy-" + number)) {
          ingests.check(copy, number, number, "the copy of " + number);
        }
      }
      ingests.check(disk, LONG_LIFE, LONG_LIFE, "the disk itself");
    }
  }

  @Test
  void aFileThatAnImageDoesNotHaveIsRefused() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      ingest(disk, 1, 2);
      try (DiskImage image = imageOf(disk)) {
        assertThrows(IllegalArgumentException.class, () -> image.open("no-such-file"));
        assertThrows(IllegalArgumentException.class, () -> image.open("../LOCK"));
      }
    }
  }

  @Test
  void aStageGoesOnFromWhereAnEarlierOneStopped() throws IOException {
    ImageFiles files = image(7);
    List<String> names = List.copyOf(files.contents().keySet());
    String first = names.getFirst();
    try (Disks disks = openDisks();
        DiskStage stage = stage(disks, COPY)) {
      assertEquals(Map.of(), stage.files());
      stage.write(first, new ByteArrayInputStream(new byte[] {1, 2, 3}));
    }
    try (Disks disks = openDisks()) {
      disks.open(COPY).close();
      try (DiskStage stage = stage(disks, COPY)) {
        assertEquals(Map.of(first, 3L), stage.files());
        try (InputStream in = stage.open(first)) {
          assertArrayEquals(new byte[] {1, 2, 3}, in.readAllBytes());
        }
        files.writeTo(stage);
        assertEquals(names, List.copyOf(stage.files().keySet()));
        stage.publish();
        assertEquals(Map.of(), stage.files());
      }
      try (Disk copy = disks.open(COPY)) {
        ingests.check(copy, 7, 7, "the copy");
      }
    }
  }

  @Test
  void whatWasGatheredIsGoneWhenItIsDiscardedOrWipedOrTheTaskHasADisk() throws IOException {
    ImageFiles files = image(3);
    try (Disks disks = openDisks()) {
      try (DiskStage stage = stage(disks, COPY)) {
        files.writeTo(stage);
        stage.delete(files.contents().keySet().iterator().next());
        assertEquals(files.contents().size() - 1, stage.files().size());
        stage.discard();
        assertEquals(Map.of(), stage.files());
        files.writeTo(stage);
      }
      disks.wipe(COPY);
      try (DiskStage stage = stage(disks, COPY)) {
        assertEquals(Map.of(), stage.files());
        files.writeTo(stage);
      }
      try (Disk disk = disks.open(COPY)) {
        assertNull(disk.position());
        ingest(disk, 1, 1);
      }
      disks.open(COPY).close();
      try (DiskStage stage = stage(disks, COPY)) {
        assertEquals(Map.of(), stage.files());
      }
    }
  }

  @Test
  void aTaskIsEitherOpenOrStaged() {
    try (Disks disks = openDisks()) {
      try (Disk disk = disks.open(TASK)) {
        assertInUse(() -> disks.stage(TASK));
        ingest(disk, 1, 1);
      }
      DiskStage stage = stage(disks, TASK);
      assertInUse(() -> disks.open(TASK));
      assertInUse(() -> disks.wipe(TASK));
      assertInUse(() -> disks.stage(TASK));
      stage.close();
      stage.close();
      try (Disk disk = disks.open(TASK)) {
        ingests.check(disk, 1, 1, "not published");
      }
      assertThrows(IllegalArgumentException.class, () -> disks.stage("a/b"));
    }
  }

  @Test
  void whatIsPublishedReplacesTheDiskThatIsThere() throws IOException {
    ImageFiles files = image(9);
    try (Disks disks = openDisks()) {
      try (Disk disk = disks.open(COPY)) {
        ingest(disk, 1, 4);
      }
      make(disks, COPY, files);
      try (Disk disk = disks.open(COPY)) {
        ingests.check(disk, 9, 9, "replaced");
      }
    }
  }

  @Test
  void filesThatAreNoDiskAreNotPublished() throws IOException {
    ImageFiles files = image(6);
    for (String missing : files.contents().keySet()) {
      if (essential(missing)) {
        try (Disks disks = openDisks()) {
          try (Disk disk = disks.open(COPY)) {
            if (disk.position() == null) {
              ingest(disk, 1, 2);
            }
          }
          try (DiskStage stage = stage(disks, COPY)) {
            files.writeTo(stage);
            stage.delete(missing);
            DiskException failure = assertThrows(DiskException.class, stage::publish);
            assertEquals(DiskException.Kind.CORRUPT, failure.kind(), missing);
          }
          try (Disk disk = disks.open(COPY)) {
            ingests.check(disk, 2, 2, "without " + missing);
          }
        }
      }
    }
  }

  /// Returns whether a missing file is detected at once; otherwise it is detected when the disk is
  /// opened.
  protected abstract boolean essential(String file);

  @Test
  void theNamesOfFilesAreChecked() {
    try (Disks disks = openDisks();
        DiskStage stage = stage(disks, COPY)) {
      for (String name : List.of("", ".", "..", "../a", "a/b", ".a", "a b", "a\0", "ä")) {
        assertThrows(
            IllegalArgumentException.class,
            () -> stage.write(name, new ByteArrayInputStream(new byte[1])),
            name);
        assertThrows(IllegalArgumentException.class, () -> stage.open(name), name);
        assertThrows(IllegalArgumentException.class, () -> stage.delete(name), name);
      }
    }
  }

  private ImageFiles image(int number) {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      ingest(disk, 1, number);
      try (DiskImage image = imageOf(disk)) {
        return read(image);
      }
    }
  }

  private void ingest(Disk disk, int first, int last) {
    for (int number = first; number <= last; number++) {
      ingests.ingest(disk, number);
    }
  }

  private static void make(Disks disks, String task, ImageFiles files) throws IOException {
    try (DiskStage stage = stage(disks, task)) {
      files.writeTo(stage);
      stage.publish();
    }
  }

  private static DiskImage imageOf(Disk disk) {
    return Objects.requireNonNull(disk.image(), "the image");
  }

  private static DiskStage stage(Disks disks, String task) {
    return Objects.requireNonNull(disks.stage(task), "the stage");
  }

  private static ImageFiles read(DiskImage image) {
    try {
      return ImageFiles.read(image);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertInUse(Runnable action) {
    DiskException failure = assertThrows(DiskException.class, action::run);
    assertEquals(DiskException.Kind.IN_USE, failure.kind(), failure.getMessage());
  }
}
