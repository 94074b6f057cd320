package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The claims of a group's writer, and those of others for the same tasks.
///
/// A writer that was opened reads which claims stand, commits its own, and reads on up to them. So
/// of two writers the later one knows of the earlier one, and bars it before it reads anything of
/// the task. A later commit then withdraws the claims of those it has barred; an own one, of the
/// writer before it was opened again, goes with the new one. Single-threaded, and waits for nothing
/// but for the log's answers to short questions.
final class Claims implements AutoCloseable {
  private enum Step {
    READING,
    CLAIMING,
    READING_ON,
    DONE
  }

  private static final int NO_TASK = -1;

  private final String transactionalId;
  private final Predicate<String> former;
  private final Split split;
  private final Moves moves;
  private final TransactionalWriter writer;
  private final ClaimReader reader;
  private final Clock clock;

  /// All openings of the writer so far.
  private final Set<WriterId> openings = new LinkedHashSet<>();

  private Step step = Step.READING;
  private boolean takenOver;

  /// Whether this process has ever claimed what it owns.
  private boolean claimed;

  private @Nullable WriterId opened;

  Claims(GroupSettings settings, Moves moves, Log log, TransactionalWriter writer, Clock clock) {
    transactionalId = settings.transactionalId();
    former = settings.former();
    split = settings.claims();
    this.moves = moves;
    this.writer = writer;
    reader = new ClaimReader(log, split);
    this.clock = clock;
  }

  /// Begins anew, behind the writer's opening.
  void open() {
    opened = writer.id();
    reader.open();
    step = Step.READING;
  }

  /// Returns the writer as it was opened last; null if it was not.
  @Nullable WriterId opened() {
    return opened;
  }

  private WriterId id() {
    return Objects.requireNonNull(opened);
  }

  /// Goes on to claim what is owned.
  ///
  /// @param bar takes the ids of those that claim it too
  /// @return whether it is claimed, and known who else claims it
  /// @throws LogException if the log is not available, or this writer was barred
  boolean claim(Set<String> bar) {
    if (step == Step.READING && reader.readOpened()) {
      send();
      writer.commit();
      step = Step.CLAIMING;
    }
    if (step == Step.CLAIMING && isCommitted()) {
      claimed = true;
      step = Step.READING_ON;
    }
    if (step == Step.READING_ON && reader.readTo(end())) {
      List<Claim> before = ownOfBefore();
      moves.withdrawSoon(before);
      before.stream()
          .map(claim -> claim.writer().transactionalId())
          .filter(former)
          .forEach(bar::add);
      moves.claims(id()).forEach(claim -> look(claim, bar));
      reader.close();
      step = Step.DONE;
    }
    return step == Step.DONE;
  }

  private void send() {
    RecordBatch batch = batch();
    for (Claim claim : ownOfBefore()) {
      if (!former.test(claim.writer().transactionalId())) { // else it is barred first
        requireOwn(claim.writer());
        claim.appendTo(batch, true, clock.millis());
      }
    }
    moves.claims(id()).forEach(claim -> claim.appendTo(batch, false, clock.millis()));
    if (batch.size() == 0) {
      // What lies before this record is decided when it can be read.
      new Claim(NO_TASK, 0, id()).appendTo(batch, true, clock.millis());
    }
    writer.send(split, batch);
    openings.add(id());
  }

  /// The claims of this process, and of former ones, from before the writer was opened last, as far
  /// as is read: what was under way then may have been decided meanwhile.
  private List<Claim> ownOfBefore() {
    return reader.claims().all().stream()
        .map(StandingClaims.Standing::claim)
        .filter(claim -> isOwn(claim.writer().transactionalId()))
        .filter(claim -> !claim.writer().equals(id()))
        .toList();
  }

  private boolean isOwn(String id) {
    return id.equals(transactionalId) || former.test(id);
  }

  /// A process that has the same transactional id is its predecessor as long as this one has
  /// claimed nothing: with its first claims it withdraws those of its predecessors. Later it is its
  /// successor.
  private void requireOwn(WriterId of) {
    if (claimed && !openings.contains(of)) {
      takenOver = true;
      throw new LogException(
          LogException.Kind.FENCED,
          "Another process writes under the transactional id '%s'.".formatted(transactionalId));
    }
  }

  private RecordBatch batch() {
    return RecordBatch.create().reset(split, new byte[0], 0);
  }

  /// The offset behind its own claims.
  private long end() {
    return writer.committedEnd(split);
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
  private void look(Claim own, Set<String> bar) {
    List<Claim> others = reader.claims().against(own, end());
    if (others.stream().anyMatch(other -> other.version() > own.version())) {
      if (!moves.mayChange()) {
        throw new LogException(
            LogException.Kind.FENCED,
            "A later decision gives task %d to another process.".formatted(own.task()));
      }
      moves.displaced(own);
    } else {
      others.forEach(other -> bar.add(other.writer().transactionalId()));
      moves.withdraw(others);
    }
  }

  /// Whether another process writes under the same transactional id.
  boolean isTakenOver() {
    return takenOver;
  }

  /// Returns the offset below which what is undecided holds it up; -1 if nothing does.
  long heldUpBelow() {
    return step == Step.READING_ON ? end() : -1;
  }

  /// Returns where claims stand.
  Split split() {
    return split;
  }

  /// Sends what is to be told of claims with the commit that is about to end.
  void commit() {
    RecordBatch batch = batch();
    moves.commit(id(), (claim, isWithdrawn) -> claim.appendTo(batch, isWithdrawn, clock.millis()));
    if (batch.size() > 0) {
      writer.send(split, batch);
    } else {
      batch.release();
    }
  }

  /// The commit is done.
  void committed() {
    moves.committed(id(), end());
  }

  /// Ends where it is, until it is opened anew.
  @Override
  public void close() {
    reader.close();
  }
}
