package dev.millrace.state.memory;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskImage;
import dev.millrace.state.run.AscendingRun;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A disk on the heap. A cursor fails with an `IllegalStateException` if used after an ingest.
final class MemoryDisk implements Disk {
  private final String task;
  private final Runnable afterClose;
  private final NavigableMap<Bytes, byte[]> entries = new TreeMap<>();
  private byte @Nullable [] position;
  private long sizeBytes;
  private long ingests;
  private boolean closed;

  MemoryDisk(String task, Runnable afterClose) {
    this.task = task;
    this.afterClose = afterClose;
  }

  @Override
  public byte @Nullable [] position() {
    requireOpen();
    return position == null ? null : position.clone();
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    requireOpen();
    byte[] value = entries.get(AscendingRun.requireKey(key));
    return value == null ? null : value.clone();
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
    return new RangeCursor(from.copy(), to == null ? null : to.copy());
  }

  @Override
  public void ingest(SortedRun run, byte[] newPosition) {
    requireOpen();
    AscendingRun ascending = new AscendingRun(run);
    NavigableMap<Bytes, byte @Nullable []> changes = new TreeMap<>();
    while (ascending.next()) {
      Bytes value = ascending.value();
      changes.put(ascending.key().copy(), value == null ? null : value.toByteArray());
    }
    changes.forEach(this::apply);
    position = newPosition.clone();
    ingests++;
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
  public void close() {
    if (!closed) {
      closed = true;
      entries.clear();
      afterClose.run();
    }
  }

  private void apply(Bytes key, byte @Nullable [] value) {
    byte[] before = value == null ? entries.remove(key) : entries.put(key, value);
    if (before != null) {
      sizeBytes -= key.length() + before.length;
    }
    if (value != null) {
      sizeBytes += key.length() + value.length;
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the disk of task " + task + " is closed");
    }
  }

  private final class RangeCursor implements Cursor {
    private final Iterator<Map.Entry<Bytes, byte[]>> rest;
    private final long madeAt = ingests;
    private final Bytes key = new Bytes();
    private final Bytes value = new Bytes();
    private boolean atEntry;
    private boolean ended;

    RangeCursor(Bytes from, @Nullable Bytes to) {
      NavigableMap<Bytes, byte[]> range = entries.tailMap(from, true);
      if (to != null) {
        range = from.compareTo(to) < 0 ? range.headMap(to, false) : new TreeMap<>();
      }
      rest = range.entrySet().iterator();
    }

    @Override
    public boolean next() {
      requireUsable();
      atEntry = rest.hasNext();
      if (atEntry) {
        Map.Entry<Bytes, byte[]> entry = rest.next();
        Bytes stored = entry.getKey();
        key.set(stored.array(), stored.offset(), stored.length());
        value.set(entry.getValue(), 0, entry.getValue().length);
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
