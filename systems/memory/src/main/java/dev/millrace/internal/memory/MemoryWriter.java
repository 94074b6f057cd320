package dev.millrace.internal.memory;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Writes to the store. What a batch holds is copied before the lock is taken, and its end is
/// decided when it is asked for, so no outcome is ever pending or unknown.
final class MemoryWriter implements TransactionalWriter {
  /// What may be called next.
  private enum State {
    /// [#open] was not successful yet.
    NEW,
    READY,
    /// Something could not be written; the transaction is aborted, and nobody has asked for its
    /// end.
    FAILED,
    /// The end was asked for, and how it went is not told yet.
    ENDED,
    FENCED,
    CLOSED
  }

  private final MemoryStore store;
  private final String transactionalId;
  private final Duration timeout;
  private final Map<Split, Long> committedEnds = new TreeMap<>();
  private State state = State.NEW;
  private @Nullable WriterId id;
  private boolean committed;
  private String failure = "";

  MemoryWriter(MemoryStore store, String transactionalId, Duration timeout) {
    this.store = store;
    this.transactionalId = transactionalId;
    this.timeout = timeout;
  }

  @Override
  public void open() {
    require(state != State.CLOSED, "opened");
    WriterId granted = null;
    if (state != State.FENCED) {
      store.lock().lock();
      try {
        granted = store.writers().open(transactionalId, id);
      } finally {
        store.lock().unlock();
      }
    }
    if (granted == null) {
      fenced();
      throw new LogException(Kind.FENCED, failure);
    }
    id = granted;
    state = State.READY;
  }

  @Override
  public WriterId id() {
    if (id == null) {
      throw notNow("asked for its id");
    }
    return id;
  }

  @Override
  public void send(Split to, RecordBatch batch) {
    Block block = blockOf(batch);
    if (block == null) {
      return;
    }
    store.lock().lock();
    try {
      Transaction transaction = transaction();
      if (transaction != null) {
        Partition partition = store.partition(to);
        requireAccepted(partition, block);
        transaction.append(partition, block, store.clock().millis());
      }
    } catch (LogException e) {
      fail(e);
    } finally {
      store.lock().unlock();
    }
  }

  @Override
  public void sendOutside(Split to, RecordBatch batch) {
    Block block = blockOf(batch);
    if (block == null) {
      return;
    }
    Partition overdue = null;
    store.lock().lock();
    try {
      Partition partition = store.partition(to);
      requireAccepted(partition, block);
      partition.append(block, store.clock().millis(), null);
      overdue = store.written(List.of(partition));
    } catch (LogException e) {
      fail(e);
    } finally {
      store.lock().unlock();
    }
    await(overdue);
  }

  /// Returns a copy of a batch, which is released; null if nothing of it is to be written.
  private @Nullable Block blockOf(RecordBatch batch) {
    try {
      requireUnasked("sent to");
      return batch.size() == 0 || state != State.READY ? null : Block.copyOf(batch);
    } finally {
      batch.release();
    }
  }

  private static void requireAccepted(Partition partition, Block block) {
    TopicSettings settings = partition.topic().settings();
    if (block.largestRecord() > settings.largestRecord()) {
      throw new LogException(
          Kind.TOO_LARGE,
          partition.split(),
          "A record for %s has %d bytes, but its topic takes at most %d (max.message.bytes). Create the topic with a larger value of that."
              .formatted(partition.split(), block.largestRecord(), settings.largestRecord()),
          null);
    }
    if (settings.compacted() && !block.keyed()) {
      throw new LogException(
          Kind.REFUSED,
          partition.split(),
          "A record for %s has no key, but its topic keeps the last record of each key (cleanup.policy=compact). Give it a key, or send it to another topic."
              .formatted(partition.split()),
          null);
    }
  }

  private void await(@Nullable Partition overdue) {
    if (overdue != null) {
      store.compact(overdue);
    }
  }

  @Override
  public void sendPositions(String group, Map<Split, Position> positions) {
    requireUnasked("sent to");
    Map<Split, Long> offsets = new TreeMap<>();
    positions.forEach((split, position) -> offsets.put(split, position.offset()));
    store.lock().lock();
    try {
      Transaction transaction = state == State.READY ? transaction() : null;
      if (transaction != null) {
        transaction.position(group, offsets);
      }
    } finally {
      store.lock().unlock();
    }
  }

  /// Returns the transaction that is open, under the lock; null if this writer is barred.
  private @Nullable Transaction transaction() {
    Transaction transaction = store.writers().transaction(id(), timeout);
    if (transaction == null) {
      fenced();
    }
    return transaction;
  }

  @Override
  public void commit() {
    end(true);
  }

  @Override
  public void abort() {
    end(false);
  }

  private void end(boolean commit) {
    requireUnasked("ended");
    if (state == State.FENCED) {
      return;
    }
    if (state == State.FAILED) {
      state = State.ENDED;
      return;
    }
    Partition overdue = null;
    store.lock().lock();
    try {
      Transaction open = store.writers().opened(id());
      if (open != null) {
        store.writers().end(open, commit);
        overdue = store.written(open.ends().keySet());
        ended(open, commit);
      } else if (store.writers().mayWrite(id())) {
        ended(null, commit);
      } else {
        fenced();
      }
    } finally {
      store.lock().unlock();
    }
    await(overdue);
  }

  private void ended(@Nullable Transaction transaction, boolean commit) {
    state = State.ENDED;
    committed = commit;
    failure = "";
    if (commit && transaction != null) {
      transaction.ends().forEach((partition, end) -> committedEnds.put(partition.split(), end));
    }
  }

  private void fail(LogException cause) {
    if (state == State.READY) {
      Transaction open = store.writers().opened(id());
      if (open != null) {
        store.writers().end(open, false);
      }
      state = State.FAILED;
      committed = false;
      failure = String.valueOf(cause.getMessage());
    }
  }

  private void fenced() {
    if (state != State.FENCED) {
      state = State.FENCED;
      failure =
          "Writer %s was barred: another one with the same transactional id took over, or its transaction took longer than %s."
              .formatted(id == null ? transactionalId : id, timeout);
    }
  }

  @Override
  public Outcome outcome() {
    return switch (state) {
      case READY -> Outcome.OPEN;
      case FAILED, ENDED -> {
        state = State.READY;
        yield committed ? Outcome.COMMITTED : Outcome.ABORTED;
      }
      case FENCED -> Outcome.FENCED;
      case NEW, CLOSED -> throw notNow("asked for an outcome");
    };
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public long committedEnd(Split split) {
    return committedEnds.getOrDefault(split, -1L);
  }

  @Override
  public void close() {
    state = State.CLOSED;
  }

  private void requireUnasked(String verb) {
    require(state == State.READY || state == State.FAILED || state == State.FENCED, verb);
  }

  private void require(boolean may, String verb) {
    if (!may) {
      throw notNow(verb);
    }
  }

  private IllegalStateException notNow(String verb) {
    return new IllegalStateException(
        "Writer %s cannot be %s while it is %s.".formatted(transactionalId, verb, state));
  }
}
