package dev.millrace.examples.crash;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A planted bug: takes the commit record out of the transaction and writes it afterwards. Whoever
/// dies in between has committed results and state without the position they belong to.
final class LateCommitRecords extends ForwardingWriter {
  /// What the trace says when a transaction is committed and its commit record is not written yet.
  static final String HELD_BACK = "commit record held back";

  /// What it says when it has not been killed then.
  static final String WRITTEN_LATE = "commit record is written late";

  private final String changelog;
  private final TraceFile trace;
  private final List<RecordBatch> held = new ArrayList<>();
  private final Set<Split> lateOnes = new HashSet<>();

  LateCommitRecords(TransactionalWriter inner, String changelog, TraceFile trace) {
    super(inner);
    this.trace = trace;
    this.changelog = changelog;
  }

  @Override
  public void send(Split to, RecordBatch batch) {
    if (!to.stream().equals(changelog)) {
      inner.send(to, batch);
      return;
    }
    RecordBatch rest = RecordBatch.create().reset(to, new byte[0], 0);
    RecordBatch late = RecordBatch.create().reset(to, new byte[0], 0);
    Bytes view = new Bytes();
    for (int i = 0; i < batch.size(); i++) {
      boolean isCommitRecord = batch.key(i, view).equals(CommitRecord.KEY);
      PacedReader.copy(batch, i, isCommitRecord ? late : rest, view);
    }
    batch.release();
    inner.send(to, rest);
    if (late.size() > 0) {
      held.add(late);
      lateOnes.add(to);
    }
  }

  @Override
  public Outcome outcome() {
    Outcome outcome = inner.outcome();
    if (outcome == Outcome.COMMITTED && !held.isEmpty()) {
      trace.add(HELD_BACK);
      trace.add(WRITTEN_LATE);
      held.forEach(late -> inner.sendOutside(late.split(), late));
      held.clear();
    }
    return outcome;
  }

  @Override
  public void open() {
    held.clear();
    inner.open();
  }

  @Override
  public long committedEnd(Split split) {
    // Something of a task is committed even if it was nothing but its commit record.
    return Math.max(lateOnes.contains(split) ? 0 : -1, inner.committedEnd(split));
  }
}
