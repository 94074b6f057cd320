package dev.millrace.examples.crash;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.util.Map;

/// Hands everything on to another writer; a subclass does something else here and there.
public abstract class ForwardingWriter implements TransactionalWriter {
  protected final TransactionalWriter inner;

  protected ForwardingWriter(TransactionalWriter inner) {
    this.inner = inner;
  }

  @Override
  public void open() {
    inner.open();
  }

  @Override
  public WriterId id() {
    return inner.id();
  }

  @Override
  public void send(Split to, RecordBatch batch) {
    inner.send(to, batch);
  }

  @Override
  public void sendOutside(Split to, RecordBatch batch) {
    inner.sendOutside(to, batch);
  }

  @Override
  public void sendPositions(String group, Map<Split, Position> positions) {
    inner.sendPositions(group, positions);
  }

  @Override
  public void commit() {
    inner.commit();
  }

  @Override
  public void abort() {
    inner.abort();
  }

  @Override
  public Outcome outcome() {
    return inner.outcome();
  }

  @Override
  public String failure() {
    return inner.failure();
  }

  @Override
  public long committedEnd(Split split) {
    return inner.committedEnd(split);
  }

  @Override
  public void close() {
    inner.close();
  }
}
