package dev.millrace.internal.engine.recovery;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// Brings a task that is split off what its keys have in the changelog of the task that it is split
/// off from. Used by one thread.
///
/// The task exists once its own changelog has a record. What its keys had until then lies before
/// the end that the other's changelog has from then on, and is changed there no more. If its last
/// commit says that all of that stands in its own changelog, nothing is to be done.
final class BaseReplay implements AutoCloseable {
  private static final long UNKNOWN = -1;

  private final Log log;
  private final Split parent;
  private final Split own;
  private final ShareOfState share;
  private final SplitReader reader;
  private final Bytes key = new Bytes();
  private final Bytes value = new Bytes();
  private long position;
  private long bulkEnd = UNKNOWN;
  private boolean begun;

  /// Where its own changelog is looked through first; behind that, whether it lacks anything.
  private long ownEnd;

  private boolean lacks;
  private boolean born;

  /// Where it ends; [#UNKNOWN] as long as the task does not exist.
  private long goal = UNKNOWN;

  /// @param parent the changelog of the task that it is split off from
  /// @param own its own changelog
  /// @param share the entries that it gets
  BaseReplay(Log log, Split parent, Split own, ShareOfState share) {
    this.log = log;
    this.parent = parent;
    this.own = own;
    this.share = share;
    reader = log.reader("base");
  }

  /// Goes on.
  ///
  /// @param of the state that it fills
  /// @return whether anything was done
  /// @throws LogException if the log cannot be read now; the next call begins anew
  boolean step(DurableState of) {
    try {
      return goOn(of);
    } catch (LogException e) {
      reader.remove(own);
      reader.remove(parent);
      begun = false;
      bulkEnd = UNKNOWN;
      goal = UNKNOWN;
      throw e;
    }
  }

  private boolean goOn(DurableState of) {
    if (!begun) {
      begin();
      reader.add(own, Position.of(0));
      if (ownEnd == 0) {
        begin(of);
      }
    }
    RecordBatch batch = reader.poll(Duration.ZERO);
    if (batch == null) {
      return false;
    }
    try {
      if (batch.split().equals(own)) {
        look(batch, of);
      } else {
        replay(batch, of);
        position = batch.nextOffset();
      }
    } finally {
      batch.release();
    }
    boolean arrived = bulkEnd != UNKNOWN && position >= bulkEnd;
    if (of.state().wantsFlush() || (arrived && of.state().restoring().inBulk())) {
      of.flush();
    }
    if (arrived) {
      of.state().restoring().endBulk();
    }
    return true;
  }

  private void begin() {
    ownEnd = Objects.requireNonNull(log.offsets(List.of(own)).get(own)).stableEnd();
    lacks = true;
    born = false;
    begun = true;
  }

  private void look(RecordBatch batch, DurableState of) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.key(i, key).equals(CommitRecord.KEY)) {
        lacks = CommitRecord.read(batch, i).lacksBase();
        born = true;
      }
    }
    if (batch.nextOffset() < ownEnd || !born) {
      if (bulkEnd == UNKNOWN && batch.nextOffset() >= ownEnd) {
        begin(of); // there are aborted transactions only
      }
      return;
    }
    reader.remove(own);
    if (!lacks) {
      goal = 0;
      return;
    }
    if (bulkEnd == UNKNOWN) {
      begin(of);
    }
    goal = offsets().end();
  }

  private void begin(DurableState of) {
    Log.Offsets offsets = offsets();
    position = offsets.start();
    bulkEnd = offsets.stableEnd();
    of.state().restoring().beginBulk(Math.max(0, bulkEnd - position));
    if (position >= bulkEnd) {
      of.state().restoring().endBulk();
    }
    reader.add(parent, Position.of(position));
  }

  private Log.Offsets offsets() {
    return Objects.requireNonNull(log.offsets(List.of(parent)).get(parent));
  }

  private void replay(RecordBatch batch, DurableState of) {
    for (int i = 0; i < batch.size(); i++) {
      batch.key(i, key);
      if (!key.equals(CommitRecord.KEY) && share.hasFromParent(key)) {
        of.state().restoring().restore(key, batch.hasValue(i) ? batch.value(i, value) : null);
      }
    }
  }

  /// Whether all is there that the task has from the other one.
  boolean isDone() {
    return goal != UNKNOWN && position >= goal;
  }

  /// Whether the task could begin soon if it existed.
  boolean isAtEnd() {
    return bulkEnd != UNKNOWN && position >= bulkEnd && position >= reader.endOffset(parent);
  }

  @Override
  public void close() {
    reader.close();
  }
}
