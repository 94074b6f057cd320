package dev.millrace.internal.engine.reset;

import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.GivenStart;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Has an application that is stopped begin elsewhere at its next start.
///
/// *With what it keeps*: [#bar], then [#move]. The last commit of each task is written once more
/// with other positions, all of them in one transaction, so that either all tasks go on elsewhere
/// or none does. Whoever else writes for the application is barred first, and waited for until
/// nothing that it wrote is undecided; a start bars this writer in turn. So of a start and a reset
/// at the same time one is refused.
///
/// *Without*: [#bar], then [#begin]; from then on a start is refused. Then who called removes the
/// exchanges and the changelog, and says so by [#finish]: tasks begin where it says, and any plan
/// may. A reset that did not come to its end is done again from its beginning.
///
/// Used by one thread; waits for the log.
public final class Reset implements AutoCloseable {
  private static final Duration TRANSACTION = Duration.ofSeconds(60);

  private final ApplicationName application;
  private final Log log;
  private final Clock clock;
  private final Waiting waiting;
  private final String id;
  private @Nullable TransactionalWriter writer;

  /// @param pause waits for a moment, between two looks at the log
  public Reset(ApplicationName application, Log log, Clock clock, Runnable pause) {
    this.application = application;
    this.log = log;
    this.clock = clock;
    waiting = new Waiting(clock, pause);
    id = Placement.idPrefix(application.storage()) + "reset";
  }

  /// The last commit of each task, as far as it is decided; bars nobody.
  public LastCommits lastCommits() {
    return LastCommits.read(log, application.storage(), waiting);
  }

  /// What is known of the application's plan and of where it was told to begin; bars nobody.
  ///
  /// @throws PlanRefusedException if that cannot be read
  public Recorded recorded() {
    return new VersionsTopic(application, log, waiting).recorded();
  }

  /// Bars every process of the application, and whoever else resets it, and waits until nothing
  /// that they have written is undecided.
  public void bar() {
    TransactionalWriter opened = log.writer(id, TRANSACTION);
    writer = opened;
    opened.open();
    List<String> others =
        new ArrayList<>(log.transactionalIds(Placement.idPrefix(application.storage())));
    others.remove(id);
    log.fence(others);
    List<Split> changelog = LastCommits.changelog(log, application.storage());
    waiting.until(
        () ->
            log.offsets(changelog).values().stream()
                .allMatch(offsets -> offsets.stableEnd() >= offsets.end()),
        () -> undecided(changelog));
  }

  private String undecided(List<Split> changelog) {
    List<String> open = new ArrayList<>();
    for (Split split : changelog) {
      log.openTransactions(split)
          .forEach(each ->
              open.add(
                  "'%s' in %s from offset %d"
                      .formatted(each.transactionalId(), split, each.firstOffset())));
    }
    return "Transactions are open in the changelog of '%s': %s. Nothing was changed. Try again when they have ended; kafka-transactions.sh aborts hanging transactions."
        .formatted(application.name(), String.join(", ", open));
  }

  /// Has the tasks go on from other positions, with what they keep. Splits that are left out stay
  /// where they are; a task that has not committed yet begins where its sources say.
  ///
  /// @param to by split of a source
  /// @throws ResetException if it could not be done; then nothing has changed
  public void move(Map<Split, Long> to) {
    TransactionalWriter open = open();
    LastCommits commits = lastCommits();
    commits.requireNotEnded(to);
    Map<Split, CommitRecord> moved = commits.moved(to);
    if (moved.isEmpty()) {
      return;
    }
    Map<Split, Position> positions = new LinkedHashMap<>();
    moved.forEach((task, record) -> {
      open.send(task, batch(task, record));
      for (CommitRecord.Input input : record.inputs()) {
        if (to.containsKey(input.split())) {
          positions.put(input.split(), input.position());
        }
      }
    });
    open.sendPositions(application.storage(), positions);
    Outcome outcome = waiting.commit(open);
    if (outcome != Outcome.COMMITTED && !isMoved(moved)) {
      throw refused(outcome, open.failure());
    }
  }

  /// Whether a commit whose answer was lost has taken place.
  private boolean isMoved(Map<Split, CommitRecord> moved) {
    return lastCommits().records().entrySet().containsAll(moved.entrySet());
  }

  private RecordBatch batch(Split task, CommitRecord record) {
    RecordBatch batch = RecordBatch.create().reset(task, new byte[0], 0);
    record.appendTo(batch, 0, Math.max(0, clock.millis()));
    return batch;
  }

  /// Deletes the state of stores that no operator of the application has any more. What was deleted
  /// stays so if it fails; the same call deletes the rest.
  ///
  /// @param names of stores that are parked
  /// @param progress is told how many entries were deleted so far
  /// @return how many were
  /// @throws ResetException if one of them is not parked, or something could not be deleted
  public long removeParked(Set<String> names, LongConsumer progress) {
    ParkedState state = new ParkedState(log, waiting, open(), requireParked(names), progress);
    lastCommits().records().forEach(state::remove);
    return state.removed();
  }

  /// Returns the numbers of stores that no operator of the application has any more; bars nobody.
  ///
  /// @throws ResetException if one of them is not parked
  public Set<Integer> requireParked(Set<String> names) {
    PlanDescription plan = recorded().plan();
    Map<String, Integer> parked = plan == null ? new TreeMap<>() : plan.parkedByName();
    if (!parked.keySet().containsAll(names)) {
      throw new ResetException(
          "Application '%s' does not have the parked stores %s. It has: %s. Nothing was changed."
              .formatted(
                  application.name(),
                  names,
                  parked.isEmpty() ? "none" : String.join(", ", parked.keySet())));
    }
    parked.keySet().retainAll(names);
    return new TreeSet<>(parked.values());
  }

  /// Says that what the application keeps is about to be removed: from now on it cannot be started.
  ///
  /// @param to where splits are to begin
  public void begin(Map<Split, Long> to) {
    open();
    write(new GivenStart(false, to));
  }

  /// Says that what the application kept is removed: it can be started, by any plan.
  ///
  /// @param to where splits begin
  public void finish(Map<Split, Long> to) {
    open();
    write(new GivenStart(true, to));
  }

  private void write(GivenStart start) {
    new VersionsTopic(application, log, waiting).write(start, clock.millis());
  }

  private TransactionalWriter open() {
    TransactionalWriter opened = writer;
    if (opened == null) {
      throw new IllegalStateException("No writer was fenced.");
    }
    return opened;
  }

  private ResetException refused(Outcome outcome, String failure) {
    String so =
        outcome == Outcome.FENCED
            ? "It was started or reset by another process at the same time; the same command"
                + " without --yes shows its positions."
            : "Nothing was changed.";
    return new ResetException(
        "Application '%s' could not be reset. %s %s"
            .formatted(application.name(), so, failure)
            .strip());
  }

  @Override
  public void close() {
    TransactionalWriter closing = writer;
    writer = null;
    if (closing != null) {
      closing.close();
    }
  }
}
