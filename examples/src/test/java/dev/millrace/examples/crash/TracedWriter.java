package dev.millrace.examples.crash;

import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;

/// Says from when to when a commit is under way, if there is something in it.
final class TracedWriter extends ForwardingWriter {
  private final TraceFile trace;
  private final String watched;
  private int records;
  private boolean committing;

  /// @param watched the stream of which it is said what is sent to it
  TracedWriter(TransactionalWriter inner, TraceFile trace, String watched) {
    super(inner);
    this.trace = trace;
    this.watched = watched;
  }

  @Override
  public void open() {
    inner.open();
    records = 0;
    committing = false;
  }

  @Override
  public void send(Split to, RecordBatch batch) {
    records += batch.size();
    if (to.stream().equals(watched)) {
      trace.add("sent " + batch.size());
    }
    inner.send(to, batch);
  }

  @Override
  public void commit() {
    if (records > 0) {
      committing = true;
      trace.add("commit begun");
    }
    inner.commit();
  }

  @Override
  public Outcome outcome() {
    Outcome outcome = inner.outcome();
    if (committing && outcome != Outcome.PENDING) {
      trace.add(outcome == Outcome.COMMITTED ? "commit ended" : "commit failed");
      committing = false;
      records = 0;
    }
    return outcome;
  }
}
