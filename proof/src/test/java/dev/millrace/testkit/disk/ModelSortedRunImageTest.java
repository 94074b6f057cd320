package dev.millrace.testkit.disk;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.DiskImageContract;
import dev.millrace.testkit.contract.NumberedIngests;
import org.junit.jupiter.api.Test;

class ModelSortedRunImageTest extends DiskImageContract {
  private static final int MOST_RUNS = 3;
  private final ModelFiles files = new ModelFiles(1);

  @Override
  protected Disks openDisks() {
    return new SortedRunDisks(files.mount(), MOST_RUNS);
  }

  @Override
  protected boolean essential(String file) {
    return true;
  }

  @Test
  void theSpaceOfAnImageIsGivenBackByTheNextIngest() {
    NumberedIngests ingests = new NumberedIngests(7, 30);
    try (Disks disks = openDisks();
        Disk disk = disks.open("1-3")) {
      for (int number = 1; number <= 40; number++) {
        ingests.ingest(disk, number);
        if (number % 10 == 0) {
          DiskImage image = disk.image();
          assertNotNull(image);
          for (int i = 0; i < 8; i++) {
            ingests.ingest(disk, ++number);
          }
          assertTrue(files.names().size() > MOST_RUNS + 1, "The image is not kept.");
          image.close();
          ingests.ingest(disk, ++number);
          assertTrue(files.names().size() <= MOST_RUNS + 1, () -> "There is " + files.names());
        }
      }
    }
  }
}
