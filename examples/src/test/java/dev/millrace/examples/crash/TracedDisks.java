package dev.millrace.examples.crash;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import java.util.SortedSet;

/// Says from when to when a flush writes to the disk.
record TracedDisks(Disks inner, TraceFile trace) implements Disks {

  @Override
  public Disk open(String task) {
    return new Traced(inner.open(task), trace);
  }

  @Override
  public void wipe(String task) {
    inner.wipe(task);
  }

  @Override
  public DiskStage stage(String task) {
    return inner.stage(task);
  }

  @Override
  public SortedSet<String> stored() {
    return inner.stored();
  }

  @Override
  public void close() {
    inner.close();
  }

  private record Traced(Disk inner, TraceFile trace) implements Disk {

    @Override
    public void ingest(SortedRun run, byte[] position) {
      trace.add("flush begun");
      inner.ingest(run, position);
      trace.add("flush ended");
    }

    @Override
    public Ingest prepare(SortedRun run, byte[] position) {
      trace.add("flush begun");
      Ingest ingest = inner.prepare(run, position);
      return new Ingest() {
        @Override
        public boolean ready() {
          return ingest.ready();
        }

        @Override
        public void finish() {
          ingest.finish();
          trace.add("flush ended");
        }
      };
    }

    @Override
    public byte[] position() {
      return inner.position();
    }

    @Override
    public byte[] get(Bytes key) {
      return inner.get(key);
    }

    @Override
    public byte[][] multiGet(Bytes[] keys, int count) {
      return inner.multiGet(keys, count);
    }

    @Override
    public Cursor range(Bytes from, Bytes to) {
      return inner.range(from, to);
    }

    @Override
    public DiskImage image() {
      return inner.image();
    }

    @Override
    public long sizeBytes() {
      return inner.sizeBytes();
    }

    @Override
    public long sizeBytes(Bytes from, Bytes to) {
      return inner.sizeBytes(from, to);
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
