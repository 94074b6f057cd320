package dev.millrace.internal.engine.chain;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What leaves a worker's tasks: a list of batches for each split of each stream. What was handed
/// over counts until it is released, which may happen on any thread. Used by one worker.
public final class Outbox {
  /// Larger batches cost a small broker more than they save; see the limits of the wire.
  private static final int MOST_BATCH_BYTES = 256 << 10;

  /// So that a batch of small records takes no more memory than one of large ones.
  private static final int MOST_BATCH_RECORDS = 4_096;

  private static final int BATCHES = 16;

  /// A batch holds up to twice what is in it: a smaller pool would give away what is needed again.
  private static final int POOLED = 2;

  /// What a batch notes of a record: offset, timestamp, and where key, value and headers lie.
  private static final int ROW_BYTES = 40;

  /// How many results are made at once at most.
  private static final int MOST_RESULTS = 1_024;

  /// What a result is taken to need: where there is little room, few are made at once.
  private static final int RESULT_BYTES = 1_024;

  private static final byte[] NO_DETAIL = {};

  private final String changelog;
  private final BatchPool pool;
  private final int batchBytes;
  private final int resultsAtOnce;
  private final List<Stream> streams = new ArrayList<>();
  private List<RecordBatch> full = new ArrayList<>();
  private final OutboxMark mark = new OutboxMark(this);

  /// How many marks there were.
  private int marks;

  private List<RecordBatch> fullChanges = new ArrayList<>();

  /// Of all batches that are complete, here or handed over, until they are released.
  private final AtomicLong completeBytes = new AtomicLong();

  /// @param changelog the stream that does not count: what state takes on its way has a share of
  ///   its own
  /// @param shareBytes the memory of all that counts; batches become so large that many fit into it
  public Outbox(String changelog, long shareBytes) {
    this.changelog = changelog;
    batchBytes = (int) Math.min(MOST_BATCH_BYTES, shareBytes / BATCHES);
    resultsAtOnce = Math.clamp(shareBytes / RESULT_BYTES, 2, MOST_RESULTS);
    pool = new BatchPool(POOLED * shareBytes, batch -> count(batch, -1));
  }

  void count(RecordBatch batch, int sign) {
    if (!isChangelog(batch)) {
      completeBytes.addAndGet(sign * bytes(batch));
    }
  }

  private boolean isChangelog(RecordBatch batch) {
    return batch.split().stream().equals(changelog);
  }

  /// A stream to write to; asked for again, the same one.
  Stream stream(String name, int partitions) {
    Stream stream = find(name);
    if (stream == null) {
      stream = new Stream(name, partitions);
      streams.add(stream);
    }
    return stream;
  }

  /// Makes a stream known that no step writes to.
  public void add(String name, int partitions) {
    stream(name, partitions);
  }

  /// Says how large a record to a known stream may be: key, value and headers together.
  public void limit(String name, int recordBytes) {
    known(name).recordBytes = recordBytes;
  }

  /// How large a record to a known stream may be.
  public int limit(String name) {
    return known(name).recordBytes;
  }

  /// Begins a record to a partition of a known stream; the batch's last record. The partition may
  /// have been added since the stream was made known.
  public RecordBatch append(String name, int partition, long timestamp) {
    Stream stream = known(name);
    stream.grow(partition + 1);
    RecordBatch batch = stream.batch(partition);
    batch.append(batch.size(), timestamp);
    return batch;
  }

  private Stream known(String name) {
    Stream stream = find(name);
    if (stream == null) {
      throw new IllegalArgumentException("Nothing is written to '" + name + "'.");
    }
    return stream;
  }

  private @Nullable Stream find(String name) {
    for (Stream stream : streams) {
      if (stream.name.equals(name)) {
        return stream;
      }
    }
    return null;
  }

  /// The bytes of keys, values and headers that wait or were handed over and not released, and 40
  /// for the numbers of each record. Looks at every batch that is open, so to be asked once a slice
  /// of records.
  public long bytes() {
    return completeBytes.get() + openBytes();
  }

  /// How many results of windows and timers a task may make until it is looked at again whether
  /// there is room for more.
  public int resultsAtOnce() {
    return resultsAtOnce;
  }

  /// Those of the batches that are not full.
  public long openBytes() {
    long sum = 0;
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

  /// Marks a place to go back to, as long as nothing is taken out.
  public void mark() {
    marks++;
    mark.set(full.size());
  }

  /// Removes what was added since the last mark.
  public void undo() {
    mark.undo(full);
  }

  /// Takes out the batches that are full but for the changelog's, each split's in their order; the
  /// caller releases them.
  public List<RecordBatch> takeFull() {
    if (full.isEmpty()) {
      return List.of();
    }
    List<RecordBatch> taken = full;
    full = new ArrayList<>();
    return taken;
  }

  /// Takes everything out but the changelog, each split's batches in their order; the caller
  /// releases them.
  public List<RecordBatch> drain() {
    for (Stream stream : streams) {
      if (!stream.name.equals(changelog)) {
        close(stream);
      }
    }
    return takeFull();
  }

  /// Takes out the batches of the changelog that are full; the caller releases them.
  public List<RecordBatch> takeFullChanges() {
    if (fullChanges.isEmpty()) {
      return List.of();
    }
    List<RecordBatch> taken = fullChanges;
    fullChanges = new ArrayList<>();
    return taken;
  }

  /// Takes out all batches of the changelog; the caller releases them.
  public List<RecordBatch> drainChanges() {
    close(known(changelog));
    return takeFullChanges();
  }

  /// Drops everything.
  public void clear() {
    drain().forEach(RecordBatch::release);
    streams.forEach(this::close);
    takeFullChanges().forEach(RecordBatch::release);
  }

  private void close(Stream stream) {
    for (int partition = 0; partition < stream.open.length; partition++) {
      close(stream, partition);
    }
  }

  private void close(Stream stream, int partition) {
    RecordBatch batch = stream.open[partition];
    if (batch != null) {
      (isChangelog(batch) ? fullChanges : full).add(batch);
      count(batch, 1);
      stream.open[partition] = null;
    }
  }

  /// The splits of one stream.
  final class Stream {
    private final String name;
    private Split[] splits;
    @Nullable RecordBatch[] open;
    private int recordBytes = Integer.MAX_VALUE;

    /// At which mark each split was noted.
    private int[] notedAt;

    private Stream(String name, int partitions) {
      this.name = name;
      splits = new Split[partitions];
      Arrays.setAll(splits, partition -> new Split(name, partition));
      open = new RecordBatch[partitions];
      notedAt = new int[partitions];
    }

    int partitions() {
      return splits.length;
    }

    private void grow(int partitions) {
      if (partitions > splits.length) {
        splits = new Split[partitions];
        Arrays.setAll(splits, partition -> new Split(name, partition));
        open = Arrays.copyOf(open, partitions);
        notedAt = Arrays.copyOf(notedAt, partitions);
      }
    }

    /// A batch to append one record to.
    RecordBatch batch(int partition) {
      RecordBatch batch = open[partition];
      if (notedAt[partition] != marks) {
        notedAt[partition] = marks;
        mark.note(this, partition, batch);
      }
      if (batch != null
          && (batch.dataLength() >= batchBytes || batch.size() >= MOST_BATCH_RECORDS)) {
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
