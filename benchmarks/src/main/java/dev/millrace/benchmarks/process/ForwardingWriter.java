package dev.millrace.benchmarks.process;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.util.Map;

/// A writer that hands everything on to another: for those of a [ForwardingLog] that change a part
/// of it.
public abstract class ForwardingWriter implements TransactionalWriter {
  private final TransactionalWriter writer;

  protected ForwardingWriter(TransactionalWriter writer) {
    this.writer = writer;
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
