package dev.millrace.testkit.disk;

import dev.millrace.internal.state.memory.MemoryDisks;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.DiskContract;

class MemoryDiskTest extends DiskContract {
  @Override
  protected Disks openDisks() {
    return new MemoryDisks();
  }
}
