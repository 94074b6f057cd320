package dev.millrace.benchmarks.commit;

import dev.millrace.api.serde.Bytes;
import dev.millrace.engine.commit.CommitRecord;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// A log that never gets the changelog, only the commit records in it: what a job would be that
/// keeps its state nowhere else. Its state cannot be restored.
///
/// The engine still encodes what changed, as that is also what it writes to disk.
final class WithoutChangelog implements Log {
  private final Log log;
  private final String changelogTopic;

  WithoutChangelog(Log log, String changelogTopic) {
    this.log = log;
    this.changelogTopic = changelogTopic;
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    return new Writer(log.writer(transactionalId, timeout));
  }

  private final class Writer implements TransactionalWriter {
    private final TransactionalWriter writer;
    private final Bytes view = new Bytes();

    Writer(TransactionalWriter writer) {
      this.writer = writer;
    }

    @Override
    public void send(Split to, RecordBatch batch) {
      if (!to.stream().equals(changelogTopic)) {
        writer.send(to, batch);
        return;
      }
      RecordBatch kept = RecordBatch.create().reset(batch.split(), new byte[0], 0);
      for (int i = 0; i < batch.size(); i++) {
        if (batch.hasKey(i) && batch.key(i, view).equals(CommitRecord.KEY)) {
          kept.append(i, batch.timestamp(i));
          kept.key(view.array(), view.offset(), view.length());
          batch.value(i, view);
          kept.value(view.array(), view.offset(), view.length());
        }
      }
      batch.release();
      if (kept.size() > 0) {
        writer.send(to, kept);
      }
    }

    @Override
    public void open() {
      writer.open();
    }

    @Override
    public WriterId id() {
      return writer.id();
    }

    @Override
    public void sendOutside(Split to, RecordBatch batch) {
      writer.sendOutside(to, batch);
    }

    @Override
    public void sendPositions(String group, Map<Split, Position> positions) {
      writer.sendPositions(group, positions);
    }

    @Override
    public void commit() {
      writer.commit();
    }

    @Override
    public void abort() {
      writer.abort();
    }

    @Override
    public Outcome outcome() {
      return writer.outcome();
    }

    @Override
    public String failure() {
      return writer.failure();
    }

    @Override
    public long committedEnd(Split split) {
      return writer.committedEnd(split);
    }

    @Override
    public void close() {
      writer.close();
    }
  }

  @Override
  public String clusterId() {
    return log.clusterId();
  }

  @Override
  public Map<String, TopicInfo> topics(Collection<String> names) {
    return log.topics(names);
  }

  @Override
  public void createTopic(TopicSpec spec) {
    log.createTopic(spec);
  }

  @Override
  public void addPartitions(String topic, int partitions) {
    log.addPartitions(topic, partitions);
  }

  @Override
  public void changeSettings(String topic, Map<String, String> settings) {
    log.changeSettings(topic, settings);
  }

  @Override
  public Map<Split, Long> committedPositions(String group) {
    return log.committedPositions(group);
  }

  @Override
  public void fence(Collection<String> transactionalIds) {
    log.fence(transactionalIds);
  }

  @Override
  public List<String> transactionalIds(String prefix) {
    return log.transactionalIds(prefix);
  }

  @Override
  public List<OpenTransaction> openTransactions(Split split) {
    return log.openTransactions(split);
  }

  @Override
  public void abortHanging(Split split, OpenTransaction transaction) {
    log.abortHanging(split, transaction);
  }

  @Override
  public void deleteBefore(Map<Split, Long> offsets) {
    log.deleteBefore(offsets);
  }

  @Override
  public Map<Split, Offsets> offsets(Collection<Split> splits) {
    return log.offsets(splits);
  }

  @Override
  public Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time) {
    return log.offsetsAt(splits, time);
  }

  @Override
  public SplitReader reader(String clientId) {
    return log.reader(clientId);
  }

  @Override
  public void close() {
    log.close();
  }
}
