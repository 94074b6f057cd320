package dev.millrace.internal.state.memory;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.run.AscendingRun;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskImage;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A disk in memory outside the heap. A cursor fails with an `IllegalStateException` if used after
/// an ingest. Nothing is allocated on the heap for an entry, except values that are read.
final class MemoryDisk implements Disk {
  private final String task;
  private final Runnable afterClose;
  private final OffHeap memory;
  private final Entries entries;
  private final Leaves leaves;
  private byte @Nullable [] position;
  private long[] staged = new long[64];
  private int stagedCount;
  private long sizeBytes;
  private long ingests;
  private boolean closed;

  /// @param total what all disks have taken from the system
  MemoryDisk(String task, AtomicLong total, Runnable afterClose) {
    this.task = task;
    this.afterClose = afterClose;
    memory = new OffHeap(total);
    entries = new Entries(memory);
    leaves = new Leaves(memory, entries);
  }

  @Override
  public byte @Nullable [] position() {
    requireOpen();
    return position == null ? null : position.clone();
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    requireOpen();
    long entry = leaves.list().find(AscendingRun.requireKey(key));
    return entry == OffHeap.NOWHERE ? null : entries.value(entry);
  }

  @Override
  public byte[] @Nullable [] multiGet(Bytes[] keys, int count) {
    requireOpen();
    Objects.checkFromToIndex(0, count, keys.length);
    byte[] @Nullable [] values = new byte[count] @Nullable [];
    for (int i = 0; i < count; i++) {
      values[i] = get(keys[i]);
    }
    return values;
  }

  @Override
  public Cursor range(Bytes from, @Nullable Bytes to) {
    requireOpen();
    return new RangeCursor(from, to == null ? null : to.copy());
  }

  @Override
  public void ingest(SortedRun run, byte[] newPosition) {
    requireOpen();
    byte[] copied = newPosition.clone();
    boolean complete = false;
    try {
      stage(new AscendingRun(run));
      complete = true;
    } finally {
      if (!complete) {
        for (int i = 0; i < stagedCount; i++) {
          entries.free(staged[i]);
        }
        stagedCount = 0;
      }
    }
    sizeBytes += leaves.merge(staged, stagedCount);
    stagedCount = 0;
    position = copied;
    ingests++;
  }

  /// Copies the run, so that it may fail before anything is changed.
  private void stage(AscendingRun run) {
    while (run.next()) {
      if (stagedCount == staged.length) {
        staged = Arrays.copyOf(staged, 2 * stagedCount);
      }
      staged[stagedCount++] = entries.add(run.key(), run.value());
    }
  }

  @Override
  public @Nullable DiskImage image() {
    requireOpen();
    return null;
  }

  @Override
  public long sizeBytes() {
    requireOpen();
    return sizeBytes;
  }

  @Override
  public long sizeBytes(Bytes from, Bytes to) {
    requireOpen();
    return leaves.list().bytes(from, to);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      memory.close();
      afterClose.run();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the disk of task " + task + " is closed");
    }
  }

  private final class RangeCursor implements Cursor {
    private final @Nullable Bytes to;
    private final LeafList list = leaves.list();
    private final long madeAt = ingests;
    private final Bytes key = new Bytes();
    private final Bytes value = new Bytes();
    private byte[] keyArray = new byte[32];
    private byte[] valueArray = new byte[64];
    private int leaf;
    private int slot;
    private boolean atEntry;
    private boolean ended;

    RangeCursor(Bytes from, @Nullable Bytes to) {
      this.to = to;
      if (list.size() > 0) {
        leaf = list.leafOf(from);
        slot = list.slotOf(leaf, from) - 1;
      }
    }

    @Override
    public boolean next() {
      requireUsable();
      atEntry = false;
      if (leaf < list.size() && ++slot >= list.count(leaf)) {
        leaf++;
        slot = 0;
      }
      if (leaf < list.size()) {
        long entry = list.entry(leaf, slot);
        keyArray = Entries.room(keyArray, entries.keyLength(entry));
        entries.copyKey(entry, keyArray);
        key.set(keyArray, 0, entries.keyLength(entry));
        if (to == null || key.compareTo(to) < 0) {
          valueArray = Entries.room(valueArray, entries.valueLength(entry));
          entries.copyValue(entry, valueArray);
          value.set(valueArray, 0, entries.valueLength(entry));
          atEntry = true;
        } else {
          leaf = list.size();
        }
      }
      return atEntry;
    }

    @Override
    public Bytes key() {
      requireEntry();
      return key;
    }

    @Override
    public Bytes value() {
      requireEntry();
      return value;
    }

    @Override
    public void close() {
      ended = true;
    }

    private void requireUsable() {
      if (ended || closed || madeAt != ingests) {
        throw new IllegalStateException("the cursor is closed, or the disk was written since");
      }
    }

    private void requireEntry() {
      requireUsable();
      if (!atEntry) {
        throw new IllegalStateException("the cursor is not at an entry");
      }
    }
  }
}
