package dev.millrace.internal.state.memory;

import dev.millrace.internal.state.local.OpenDisks;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import java.util.Collections;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Disks in memory outside the heap: a disk's content is gone when it is closed, and a disk opened
/// is always empty, without a position. Thread-safe.
public final class MemoryDisks implements Disks {
  private final OpenDisks open = new OpenDisks();
  private final AtomicLong memory = new AtomicLong();

  @Override
  public Disk open(String task) {
    return open.open(task, afterClose -> new MemoryDisk(task, memory, afterClose));
  }

  @Override
  public void wipe(String task) {
    open.whileClosed(task, () -> {});
  }

  @Override
  public @Nullable DiskStage stage(String task) {
    open.whileClosed(task, () -> {});
    return null;
  }

  @Override
  public SortedSet<String> stored() {
    return Collections.emptySortedSet();
  }

  @Override
  public boolean durable() {
    return false;
  }

  @Override
  public long memoryBytes() {
    return memory.get();
  }

  @Override
  public void close() {
    open.closeAll();
  }
}
