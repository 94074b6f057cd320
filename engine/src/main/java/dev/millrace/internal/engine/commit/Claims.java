package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The claims of a group's writer, and those of others for the same tasks.
///
/// A writer that was opened reads which claims stand, commits its own, and reads on up to them. So
/// of two writers the later one knows of the earlier one, and bars it before it reads anything of
/// the task. Its next commit then withdraws the claims of those it has barred; an own one, of the
/// writer before it was opened again, goes with the new one. Single-threaded, and waits for nothing
/// but for the log's answers to short questions.
final class Claims implements AutoCloseable {
  private enum Step {
    READING,
    CLAIMING,
    READING_ON,
    DONE
  }

  private final String transactionalId;
  private final Split split;
  private final Set<Integer> tasks = new TreeSet<>();
  private final TransactionalWriter writer;
  private final ClaimReader reader;
  private final Clock clock;
  private final List<Claim> others = new ArrayList<>();
  private Step step = Step.READING;

  Claims(GroupSettings settings, Log log, TransactionalWriter writer, Clock clock) {
    transactionalId = settings.transactionalId();
    split = settings.claims();
    settings.changelog().forEach(each -> tasks.add(each.partition()));
    this.writer = writer;
    reader = new ClaimReader(log, split);
    this.clock = clock;
  }

  /// Begins anew, behind the writer's opening.
  void open() {
    others.clear();
    reader.open();
    step = Step.READING;
  }

  /// Goes on.
  ///
  /// @return whether the tasks are claimed, and it is known who else claims them
  /// @throws LogException if the log is not available, or this writer was barred
  boolean claim() {
    if (step == Step.READING && reader.readOpened()) {
      send();
      writer.commit();
      step = Step.CLAIMING;
    }
    if (step == Step.CLAIMING && isCommitted()) {
      step = Step.READING_ON;
    }
    if (step == Step.READING_ON && reader.readTo(end())) {
      reader.standing().forEach(this::takeOther);
      reader.close();
      step = Step.DONE;
    }
    return step == Step.DONE;
  }

  private void send() {
    RecordBatch batch = batch();
    for (Claim standing : reader.standing().keySet()) {
      if (standing.writer().transactionalId().equals(transactionalId)) {
        standing.appendTo(batch, true, clock.millis());
      }
    }
    WriterId id = writer.id();
    for (int task : tasks) {
      new Claim(task, id).appendTo(batch, false, clock.millis());
    }
    if (batch.size() > 0) {
      writer.send(split, batch);
    } else {
      batch.release();
    }
  }

  /// The offset behind its own claims.
  private long end() {
    return writer.committedEnd(split);
  }

  private RecordBatch batch() {
    return RecordBatch.create().reset(split, new byte[0], 0);
  }

  private boolean isCommitted() {
    return switch (writer.outcome()) {
      case OPEN, PENDING -> false;
      case COMMITTED -> true;
      case ABORTED, UNKNOWN -> throw failed(LogException.Kind.UNAVAILABLE);
      case FENCED -> throw failed(LogException.Kind.FENCED);
    };
  }

  private LogException failed(LogException.Kind kind) {
    return new LogException(
        kind,
        "The claims of '%s' could not be written to %s: %s"
            .formatted(transactionalId, split, writer.failure()));
  }

  /// Whoever claims later bars this writer and is not barred by it, so that one of them remains.
  private void takeOther(Claim claim, long offset) {
    boolean own = claim.writer().transactionalId().equals(transactionalId);
    if (!own && tasks.contains(claim.task()) && offset < end()) {
      others.add(claim);
    }
  }

  /// Returns the offset below which what is undecided holds it up; -1 if nothing does.
  long heldUpBelow() {
    return step == Step.READING_ON ? end() : -1;
  }

  /// Returns where claims stand.
  Split split() {
    return split;
  }

  /// Returns the transactional ids of the others that claim one of the tasks.
  Set<String> others() {
    Set<String> ids = new LinkedHashSet<>();
    others.forEach(claim -> ids.add(claim.writer().transactionalId()));
    return ids;
  }

  /// Withdraws the claims of the others, which are barred, in the transaction that is open.
  void withdrawOthers() {
    if (!others.isEmpty()) {
      RecordBatch batch = batch();
      others.forEach(claim -> claim.appendTo(batch, true, clock.millis()));
      writer.send(split, batch);
    }
  }

  /// What was withdrawn is committed.
  void withdrawn() {
    others.clear();
  }

  /// Ends where it is, until it is opened anew.
  @Override
  public void close() {
    reader.close();
  }
}
