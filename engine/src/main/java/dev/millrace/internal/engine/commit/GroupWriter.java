package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.settings.CommitConfig;
import java.util.Map;

/// The writer of a commit group, which another one can take the place of: one that was barred can
/// never write again.
final class GroupWriter implements TransactionalWriter {
  private final Log log;
  private final String transactionalId;
  private final CommitConfig config;
  private TransactionalWriter writer;

  GroupWriter(Log log, String transactionalId, CommitConfig config) {
    this.log = log;
    this.transactionalId = transactionalId;
    this.config = config;
    writer = made();
  }

  private TransactionalWriter made() {
    return log.writer(transactionalId, config.transactionTimeout());
  }

  /// Puts another writer of the same transactional id, which is not open, in the place of this one.
  void renew() {
    writer.close();
    writer = made();
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
  public void send(Split to, RecordBatch batch) {
    writer.send(to, batch);
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
