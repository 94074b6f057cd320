package dev.millrace.engine.chain;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What leaves a worker's tasks with the next commit: a list of batches for each split of each
/// stream. Used by one worker.
public final class Outbox {
  /// Larger batches cost a small broker more than they save; see the limits of the wire.
  private static final int BATCH_BYTES = 256 << 10;

  /// What Kafka takes by default (1 MiB), less the frame of a batch of one.
  static final int MAX_RECORD_BYTES = (1 << 20) - 128;

  /// What a batch notes of a record: offset, timestamp, and where key, value and headers lie.
  private static final int ROW_BYTES = 40;

  private static final byte[] NO_DETAIL = {};

  private final BatchPool pool;
  private final List<Stream> streams = new ArrayList<>();
  private final List<RecordBatch> full = new ArrayList<>();
  private long fullBytes;

  public Outbox(BatchPool pool) {
    this.pool = pool;
  }

  /// A stream to write to; asked for again, the same one.
  Stream stream(String name, int partitions) {
    for (Stream stream : streams) {
      if (stream.name.equals(name)) {
        return stream;
      }
    }
    Stream stream = new Stream(name, partitions);
    streams.add(stream);
    return stream;
  }

  /// Makes a stream known that no step writes to.
  public void add(String name, int partitions) {
    stream(name, partitions);
  }

  /// Begins a record to a partition of a known stream; the batch's last record.
  public RecordBatch append(String name, int partition, long timestamp) {
    Stream stream = known(name);
    RecordBatch batch = stream.batch(partition);
    batch.append(batch.size(), timestamp);
    return batch;
  }

  private Stream known(String name) {
    for (Stream stream : streams) {
      if (stream.name.equals(name)) {
        return stream;
      }
    }
    throw new IllegalArgumentException("Nothing is written to '" + name + "'.");
  }

  /// The bytes of keys, values and headers that wait, and 40 for the numbers of each record. Looks
  /// at every batch that is open, so to be asked once a slice of records.
  public long bytes() {
    long sum = fullBytes;
    for (int i = 0, count = streams.size(); i < count; i++) {
      for (RecordBatch batch : streams.get(i).open) {
        if (batch != null) {
          sum += bytes(batch);
        }
      }
    }
    return sum;
  }

  private static long bytes(RecordBatch batch) {
    return batch.dataLength() + (long) batch.size() * ROW_BYTES;
  }

  /// Takes everything out, each split's batches in their order; the caller releases them.
  public List<RecordBatch> drain() {
    for (Stream stream : streams) {
      for (int partition = 0; partition < stream.open.length; partition++) {
        close(stream, partition);
      }
    }
    List<RecordBatch> drained = List.copyOf(full);
    full.clear();
    fullBytes = 0;
    return drained;
  }

  /// Drops everything.
  public void clear() {
    for (RecordBatch batch : drain()) {
      batch.release();
    }
  }

  private void close(Stream stream, int partition) {
    RecordBatch batch = stream.open[partition];
    if (batch != null) {
      full.add(batch);
      fullBytes += bytes(batch);
      stream.open[partition] = null;
    }
  }

  /// The splits of one stream.
  final class Stream {
    private final String name;
    private final Split[] splits;
    private final @Nullable RecordBatch[] open;

    private Stream(String name, int partitions) {
      this.name = name;
      splits = new Split[partitions];
      Arrays.setAll(splits, partition -> new Split(name, partition));
      open = new RecordBatch[partitions];
    }

    int partitions() {
      return splits.length;
    }

    /// A batch to append one record to.
    RecordBatch batch(int partition) {
      RecordBatch batch = open[partition];
      if (batch != null && batch.dataLength() >= BATCH_BYTES) {
        close(this, partition);
        batch = null;
      }
      if (batch == null) {
        batch = pool.take(splits[partition], NO_DETAIL, 0);
        open[partition] = batch;
      }
      return batch;
    }
  }
}
