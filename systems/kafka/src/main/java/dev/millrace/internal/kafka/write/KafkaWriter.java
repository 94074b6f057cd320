package dev.millrace.internal.kafka.write;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A writer that passes its work to a separate thread, where the producer may wait, and polls for
/// the outcome.
public final class KafkaWriter implements TransactionalWriter {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaWriter.class);
  private static final long CLOSE_SECONDS = 3;

  private enum State {
    /// [#open] was not successful yet.
    NEW,
    OPEN,
    UNKNOWN,
    FENCED,
    CLOSED
  }

  private final String name;
  private final WriterWork producer;
  private final ExecutorService thread;
  private final Map<Split, Long> committedEnds = new HashMap<>();

  private State state = State.NEW;
  private Transaction transaction;

  /// Whether something was sent in the transaction.
  private boolean used;

  /// Whether its end was asked for.
  private boolean asked;

  private String failure = "";

  public KafkaWriter(String name, WriterWork producer) {
    this.name = name;
    this.producer = producer;
    thread = producer.thread();
    transaction = new Transaction(this::failed);
  }

  @Override
  public void open() {
    switch (state) {
      case FENCED -> throw new LogException(Kind.FENCED, failure);
      case CLOSED -> throw notNow("opened");
      case NEW, OPEN, UNKNOWN -> {}
    }
    transaction.abandon();
    if (state == State.OPEN) {
      state = State.UNKNOWN;
    }
    asked = true;
    CompletableFuture<@Nullable Void> opening = CompletableFuture.runAsync(producer::open, thread);
    try {
      opening.get();
    } catch (ExecutionException e) {
      throw refused(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException(
          Kind.UNAVAILABLE, "The thread was interrupted while writer " + name + " was opened.", e);
    }
    state = State.OPEN;
    begin();
  }

  private RuntimeException refused(ExecutionException thrown) {
    if (thrown.getCause() instanceof LogException e) {
      if (e.kind() == Kind.FENCED) {
        failure = String.valueOf(e.getMessage());
        state = State.FENCED;
      }
      return e;
    }
    return new IllegalStateException("Writer " + name + " cannot be opened.", thrown.getCause());
  }

  private void begin() {
    transaction = new Transaction(this::failed);
    used = false;
    asked = false;
  }

  /// Called by the producer's thread when something could not be sent.
  private void failed(Transaction lost) {
    try {
      execute(lost, () -> producer.abort(lost));
    } catch (RejectedExecutionException e) {
      // The writer was closed meanwhile, and nobody asks for the outcome any more.
      assert thread.isShutdown();
    }
  }

  private void execute(Transaction of, Runnable task) {
    thread.execute(() -> {
      try {
        task.run();
        // outermost: what nobody thought of must not leave the owner waiting for ever
      } catch (RuntimeException | Error e) {
        LOG.error("Writer '{}' has failed.", name, e);
        of.decide(Outcome.UNKNOWN, "Writer '" + name + "' has failed: " + e);
      }
    });
  }

  @Override
  public WriterId id() {
    WriterId id = producer.id();
    if (id == null) {
      throw notNow("asked for its id");
    }
    return id;
  }

  @Override
  public void send(Split to, RecordBatch batch) {
    send(batch, current -> producer.send(current, to, batch));
  }

  @Override
  public void sendOutside(Split to, RecordBatch batch) {
    send(batch, current -> producer.sendOutside(current, to, batch));
  }

  private void send(RecordBatch batch, Consumer<Transaction> how) {
    requireUnasked("sent to");
    if (batch.size() == 0) {
      batch.release();
      return;
    }
    used = true;
    Transaction current = transaction;
    execute(current, () -> how.accept(current));
  }

  @Override
  public void sendPositions(String group, Map<Split, Position> positions) {
    requireUnasked("sent to");
    if (!positions.isEmpty()) {
      used = true;
      Transaction current = transaction;
      Map<Split, Position> copy = Map.copyOf(positions);
      execute(current, () -> producer.sendPositions(current, group, copy));
    }
  }

  @Override
  public void commit() {
    requireUnasked("ended");
    asked = true;
    Transaction current = transaction;
    if (used) {
      execute(current, () -> producer.commit(current));
    } else if (!current.isInVain()) {
      current.decide(Outcome.COMMITTED);
    }
  }

  @Override
  public void abort() {
    requireUnasked("ended");
    asked = true;
    Transaction current = transaction;
    boolean first = current.fail("The writer aborted the transaction.");
    if (used) {
      execute(current, () -> producer.abort(current));
    } else if (first) {
      current.decide(Outcome.ABORTED);
    }
  }

  private void requireUnasked(String verb) {
    if (asked || state == State.NEW || state == State.CLOSED) {
      throw notNow(verb);
    }
  }

  private IllegalStateException notNow(String verb) {
    return new IllegalStateException(
        "Writer %s cannot be %s while it is %s%s."
            .formatted(name, verb, state, asked ? " and its end was asked for" : ""));
  }

  @Override
  public Outcome outcome() {
    switch (state) {
      case NEW, CLOSED -> throw notNow("asked for an outcome");
      case UNKNOWN -> {
        return Outcome.UNKNOWN;
      }
      case FENCED -> {
        return Outcome.FENCED;
      }
      case OPEN -> {}
    }
    Transaction current = transaction;
    Outcome outcome = current.outcome();
    if (outcome == null) {
      return asked ? Outcome.PENDING : Outcome.OPEN;
    }
    failure = current.failure();
    switch (outcome) {
      case COMMITTED -> {
        committedEnds.putAll(current.ends());
        begin();
      }
      case ABORTED -> begin();
      case UNKNOWN -> state = State.UNKNOWN;
      case FENCED -> state = State.FENCED;
      case OPEN, PENDING -> throw new AssertionError("Not an outcome: " + outcome);
    }
    return outcome;
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
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    transaction.abandon();
    execute(transaction, producer::close);
    thread.shutdown();
    if (!hasEnded()) {
      producer.kill();
      thread.shutdownNow().forEach(Runnable::run);
    }
  }

  private boolean hasEnded() {
    try {
      return thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
