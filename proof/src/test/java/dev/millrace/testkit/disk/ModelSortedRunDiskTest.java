package dev.millrace.testkit.disk;

import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.DurableDiskContract;

class ModelSortedRunDiskTest extends DurableDiskContract {
  private final ModelFiles files = new ModelFiles(1);

  @Override
  protected Disks openDisks() {
    return new SortedRunDisks(files.mount(), 3);
  }
}
