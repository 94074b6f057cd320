package dev.millrace.testkit.disk;

import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.StoreContract;

class SortedRunStoreTest extends StoreContract {
  private final ModelFiles files = new ModelFiles(1);

  @Override
  protected Disks openDisks() {
    return new SortedRunDisks(files.mount(), 3);
  }
}
