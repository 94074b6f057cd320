package dev.millrace;

import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.internal.state.memory.MemoryDisks;
import dev.millrace.spi.Disks;
import java.util.UUID;

/// A home without a directory, for state that is of no use to a later process.
final class MemoryHome implements Home {
  private static final int ID_DIGITS = 12;

  private final String name = UUID.randomUUID().toString();
  private final MemoryDisks disks = new MemoryDisks();

  @Override
  public String name() {
    return name;
  }

  @Override
  public Disks hold() {
    return disks;
  }

  @Override
  public String member() {
    return name.replace("-", "").substring(0, ID_DIGITS) + "-0";
  }

  @Override
  public void belongsTo(OwnerFile.Owner owner) {
    // Nobody else can find it.
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public void close() {
    disks.close();
  }
}
