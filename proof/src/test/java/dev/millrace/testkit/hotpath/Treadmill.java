package dev.millrace.testkit.hotpath;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A log that gives the same batch again and again and forgets what is written: what is left is the
/// cost of the engine. Its own allocation does not grow with the records.
final class Treadmill implements Log {
  static final String OUT = "out";
  private static final long POOL_BYTES = 64 << 20;
  private static final byte[] NO_DETAIL = {};

  private final Split split;
  private final RecordBatch batch;
  private long read;
  private long written;

  /// @param batch what the reader gives, with other offsets each time
  Treadmill(Split split, RecordBatch batch) {
    this.split = split;
    this.batch = batch;
  }

  /// How many records were read.
  long read() {
    return read;
  }

  /// How many records were written to the topic [#OUT].
  long written() {
    return written;
  }

  @Override
  public String clusterId() {
    return "treadmill";
  }

  @Override
  public Map<String, TopicInfo> topics(Collection<String> names) {
    Map<String, TopicInfo> all = new LinkedHashMap<>();
    names.forEach(name -> all.put(name, new TopicInfo(name, "id", 1, new TreeMap<>())));
    return all;
  }

  @Override
  public SortedSet<String> topicNames() {
    return new TreeSet<>();
  }

  @Override
  public void createTopics(Collection<TopicSpec> specs) {}

  @Override
  public void addPartitions(String topic, int partitions) {}

  @Override
  public void changeSettings(String topic, Map<String, String> settings) {}

  @Override
  public Map<Split, Offsets> offsets(Collection<Split> splits) {
    Map<Split, Offsets> all = new LinkedHashMap<>();
    splits.forEach(each -> all.put(each, new Offsets(0, 0, 0)));
    return all;
  }

  @Override
  public Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<Split, Long> committedPositions(String group) {
    return new LinkedHashMap<>();
  }

  @Override
  public Map<Split, Long> positionsOfOthers(String group) {
    return new LinkedHashMap<>();
  }

  @Override
  public SplitReader reader(String clientId) {
    return new Reader();
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    return new Writer(transactionalId);
  }

  @Override
  public void fence(Collection<String> transactionalIds) {}

  @Override
  public List<String> transactionalIds(String prefix) {
    return List.of();
  }

  @Override
  public List<OpenTransaction> openTransactions(Split of) {
    return List.of();
  }

  @Override
  public void abortHanging(Split of, OpenTransaction transaction) {}

  @Override
  public void deleteBefore(Map<Split, Long> offsets) {}

  @Override
  public void close() {}

  private final class Reader implements SplitReader {
    private final BatchPool pool = new BatchPool(POOL_BYTES, _ -> {});
    private final Bytes view = new Bytes();
    private boolean reading;

    @Override
    public void add(Split added, Position start) {
      reading |= added.equals(split);
    }

    @Override
    public void remove(Split removed) {}

    @Override
    public void pause(Split paused) {
      reading = false;
    }

    @Override
    public void resume(Split resumed) {
      reading = true;
    }

    @Override
    public @Nullable RecordBatch poll(Duration atMost) {
      if (!reading) {
        return null;
      }
      RecordBatch next = pool.take(split, NO_DETAIL, 0);
      for (int i = 0; i < batch.size(); i++) {
        // A record whose offset was read before is passed over.
        next.append(read + i, batch.timestamp(i));
        batch.key(i, view);
        next.key(view.array(), view.offset(), view.length());
        batch.value(i, view);
        next.value(view.array(), view.offset(), view.length());
      }
      read += batch.size();
      next.nextOffset(read);
      return next;
    }

    @Override
    public long endOffset(Split of) {
      return Long.MAX_VALUE;
    }

    @Override
    public void wakeup() {}

    @Override
    public void close() {}
  }

  private final class Writer implements TransactionalWriter {
    private final WriterId id;
    private Outcome outcome = Outcome.OPEN;

    Writer(String transactionalId) {
      id = new WriterId(transactionalId, 1, 0);
    }

    @Override
    public void open() {
      outcome = Outcome.OPEN;
    }

    @Override
    public WriterId id() {
      return id;
    }

    @Override
    public void send(Split to, RecordBatch sent) {
      written += to.stream().equals(OUT) ? sent.size() : 0;
      sent.release();
    }

    @Override
    public void sendOutside(Split to, RecordBatch sent) {
      sent.release();
    }

    @Override
    public void sendPositions(String group, Map<Split, Position> positions) {}

    @Override
    public void commit() {
      outcome = Outcome.COMMITTED;
    }

    @Override
    public void abort() {
      throw new LogException(LogException.Kind.REFUSED, "Nothing is aborted here.");
    }

    @Override
    public Outcome outcome() {
      Outcome now = outcome;
      outcome = Outcome.OPEN;
      return now;
    }

    @Override
    public String failure() {
      return "";
    }

    @Override
    public long committedEnd(Split of) {
      return 0;
    }

    @Override
    public void close() {}
  }
}
