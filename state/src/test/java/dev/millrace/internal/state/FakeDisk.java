package dev.millrace.internal.state;

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

  /// Told by [#position] when its ingest is finished.
  private byte @Nullable [] durablePosition;

  private byte @Nullable [] position;
  private boolean refuses;
  private boolean underWay;

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

  /// Takes [#refuseNextIngest] back.
  void refuseNone() {
    refuses = false;
  }

  /// The same content, as after a restart.
  FakeDisk reopened() {
    FakeDisk copy = new FakeDisk();
    copy.entries.putAll(entries);
    copy.durablePosition = durablePosition;
    copy.position = durablePosition;
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
    prepare(run, newPosition).finish();
  }

  @Override
  public Ingest prepare(SortedRun run, byte[] newPosition) {
    if (underWay) {
      throw new AssertionError("Two ingests at a time.");
    }
    underWay = true;
    return new Piecemeal(run, newPosition.clone());
  }

  /// An ingest that reads some entries whenever it is asked how far it is. What it has written can
  /// be seen as soon as all is read, and outlives a crash.
  private final class Piecemeal implements Ingest {
    private static final int PIECE = 3;

    private final SortedRun run;
    private final byte[] newPosition;
    private final TreeMap<Bytes, @Nullable Bytes> read = new TreeMap<>();
    private boolean done;
    private boolean written;

    Piecemeal(SortedRun run, byte[] newPosition) {
      this.run = run;
      this.newPosition = newPosition;
    }

    @Override
    public boolean ready() {
      read(PIECE);
      return done;
    }

    @Override
    public void finish() {
      underWay = false;
      read(Integer.MAX_VALUE);
      if (refuses && !written) {
        refuses = false;
        throw new DiskException(DiskException.Kind.FULL, "Planted: no space.", null);
      }
      ingests++;
      ingestedEntries += read.size();
      position = newPosition;
    }

    private void read(int atMost) {
      for (int i = 0; i < atMost && !done; i++) {
        if ((refuses && read.size() > 2) || !run.next()) {
          done = true;
          write();
          return;
        }
        Bytes key = run.key().copy();
        if (key.length() == 0 || (!read.isEmpty() && read.lastKey().compareTo(key) >= 0)) {
          throw new AssertionError("The run does not ascend at " + key);
        }
        Bytes value = run.value();
        read.put(key, value == null ? null : value.copy());
      }
    }

    private void write() {
      if (refuses) {
        return;
      }
      read.forEach((key, value) -> {
        if (value == null) {
          entries.remove(key);
        } else {
          entries.put(key, value);
        }
      });
      written = true;
      durablePosition = newPosition;
    }
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
  public long sizeBytes(Bytes from, Bytes to) {
    return entries.subMap(from, to).values().stream().mapToLong(Bytes::length).sum();
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
