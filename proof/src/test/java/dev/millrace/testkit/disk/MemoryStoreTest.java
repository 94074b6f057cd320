package dev.millrace.testkit.disk;

import dev.millrace.internal.state.memory.MemoryDisks;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.StoreContract;

class MemoryStoreTest extends StoreContract {
  @Override
  protected Disks openDisks() {
    return new MemoryDisks();
  }
}
