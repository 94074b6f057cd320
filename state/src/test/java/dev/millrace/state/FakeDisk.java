package dev.millrace.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A disk in a sorted map that is strict about its contract: runs ascend, views die with the next
/// move, cursors with the next ingest, and every cursor is closed.
final class FakeDisk implements Disk {
  private final TreeMap<Bytes, Bytes> entries = new TreeMap<>();
  private byte @Nullable [] position;
  private boolean refuses;

  int gets;
  int multiGets;
  int ingests;
  int ingestedEntries;
  int openCursors;
  boolean closed;

  /// Lets the next ingest fail after it has read half of the run.
  void refuseNextIngest() {
    refuses = true;
  }

  /// The same content, as after a restart.
  FakeDisk reopened() {
    FakeDisk copy = new FakeDisk();
    copy.entries.putAll(entries);
    copy.position = position;
    return copy;
  }

  Map<Bytes, Bytes> entries() {
    return entries;
  }

  @Override
  public byte @Nullable [] position() {
    return position == null ? null : position.clone();
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    gets++;
    return found(key);
  }

  private byte @Nullable [] found(Bytes key) {
    Bytes value = entries.get(key);
    return value == null ? null : value.toByteArray();
  }

  @Override
  public byte[] @Nullable [] multiGet(Bytes[] keys, int count) {
    multiGets++;
    byte[] @Nullable [] values = new byte[count] @Nullable [];
    for (int i = 0; i < count; i++) {
      values[i] = found(keys[i]);
    }
    return values;
  }

  @Override
  public Cursor range(Bytes from, @Nullable Bytes to) {
    openCursors++;
    return new MapCursor(
        (to == null ? entries.tailMap(from.copy()) : entries.subMap(from.copy(), to.copy()))
            .entrySet()
            .iterator());
  }

  @Override
  public void ingest(SortedRun run, byte[] newPosition) {
    TreeMap<Bytes, @Nullable Bytes> read = new TreeMap<>();
    while (run.next()) {
      Bytes key = run.key().copy();
      if (key.length() == 0 || (!read.isEmpty() && read.lastKey().compareTo(key) >= 0)) {
        throw new AssertionError("The run does not ascend at " + key);
      }
      Bytes value = run.value();
      read.put(key, value == null ? null : value.copy());
      if (refuses && read.size() > 2) {
        break;
      }
    }
    if (refuses) {
      refuses = false;
      throw new DiskException(DiskException.Kind.FULL, "Planted: no space.", null);
    }
    read.forEach((key, value) -> {
      if (value == null) {
        entries.remove(key);
      } else {
        entries.put(key, value);
      }
    });
    ingests++;
    ingestedEntries += read.size();
    position = newPosition.clone();
  }

  @Override
  public @Nullable DiskImage image() {
    return null;
  }

  @Override
  public long sizeBytes() {
    return entries.values().stream().mapToLong(Bytes::length).sum();
  }

  @Override
  public void close() {
    if (openCursors != 0) {
      throw new AssertionError("Cursors left open: " + openCursors);
    }
    closed = true;
  }

  private final class MapCursor implements Cursor {
    private final Iterator<Map.Entry<Bytes, Bytes>> rest;
    private final int ingestsAtStart = ingests;
    private Bytes key = new Bytes();
    private Bytes value = new Bytes();
    private boolean closed;

    MapCursor(Iterator<Map.Entry<Bytes, Bytes>> rest) {
      this.rest = rest;
    }

    @Override
    public boolean next() {
      if (closed || ingests != ingestsAtStart) {
        throw new AssertionError("The cursor is not valid any more.");
      }
      Arrays.fill(key.array(), (byte) 0xDB);
      Arrays.fill(value.array(), (byte) 0xDB);
      if (!rest.hasNext()) {
        return false;
      }
      Map.Entry<Bytes, Bytes> entry = rest.next();
      key = entry.getKey().copy();
      value = entry.getValue().copy();
      return true;
    }

    @Override
    public Bytes key() {
      return key;
    }

    @Override
    public Bytes value() {
      return value;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        openCursors--;
      }
    }
  }
}
