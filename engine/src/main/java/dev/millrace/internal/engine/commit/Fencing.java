package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps whoever else wrote for a group's tasks from writing on: before its members restore, it
/// claims the tasks, bars the others that do, and waits until nothing in the changelog is
/// undecided; afterwards it tells whether anybody wrote all the same. Single-threaded, and does no
/// more at a time than ask the log.
final class Fencing {
  private static final Logger LOG = LoggerFactory.getLogger(Fencing.class);
  private static final Duration RETRY = Duration.ofMillis(100);

  /// What a dead writer had open is decided within milliseconds of its fencing, if it ever is.
  private static final Duration DECIDED_SOON = Duration.ofMillis(500);

  private static final Duration LOOK = Duration.ofMillis(10);
  private static final Duration WHILE_CLAIMING = Duration.ofMillis(1);

  private static final Duration HANGING = Duration.ofSeconds(10);

  private final GroupSettings settings;
  private final Log log;
  private final TransactionalWriter writer;
  private final Moves moves;
  private final Claims claims;
  private final Set<String> foreign = new TreeSet<>();
  private final Set<String> barred = new TreeSet<>();
  private final Set<Log.OpenTransaction> hanging = new LinkedHashSet<>();
  private final Map<Split, Long> ends = new LinkedHashMap<>();
  private boolean opened;
  private boolean claimed;
  private long sinceNanos;
  private long nextNanos;
  private long releaseLookNanos;

  Fencing(GroupSettings settings, Moves moves, Log log, TransactionalWriter writer, Clock clock) {
    this.settings = settings;
    this.log = log;
    this.writer = writer;
    this.moves = moves;
    claims = new Claims(settings, moves, log, writer, clock);
  }

  Claims claims() {
    return claims;
  }

  /// Starts from the beginning: opens the writer once more.
  void start(long nanos) {
    opened = false;
    more(nanos);
  }

  /// Goes on with the writer that is open, for what was found since.
  void more(long nanos) {
    sinceNanos = nanos;
    nextNanos = nanos;
    hanging.clear();
  }

  /// Whether a writer that was barred may be opened again: it was for the sake of one of several
  /// tasks, and not by another process with the same transactional id.
  boolean mayBeginAgain() {
    return moves.mayChange() && !claims.isTakenOver();
  }

  /// Begins again, a little later.
  void beginAgain() {
    opened = false;
  }

  void pauseUntil(long nanos) {
    nextNanos = nanos;
  }

  boolean due(long nanos) {
    return nanos - nextNanos >= 0;
  }

  /// Goes on, if that is due.
  ///
  /// @return whether all others are barred and nothing is undecided any more
  /// @throws LogException if the log is not available, or this writer is itself barred
  boolean fence(long nanos) {
    nextNanos = nanos + RETRY.toNanos();
    if (!opened) {
      writer.open();
      moves.opened(settings.transactionalId());
      claims.open();
      barred.clear();
      foreign.clear();
      opened = true;
      claimed = false;
    }
    if (!claimed && !claim(nanos)) {
      return false;
    }
    if (!foreign.isEmpty()) {
      log.fence(List.copyOf(foreign));
      barred.addAll(foreign);
      foreign.clear();
    }
    if (undecided(nanos)) {
      boolean soon = nanos - sinceNanos < DECIDED_SOON.toNanos();
      nextNanos = nanos + (soon ? LOOK : RETRY).toNanos();
      return false;
    }
    return true;
  }

  /// @return whether the tasks are claimed, and it is known who else claims them
  private boolean claim(long nanos) {
    try {
      claimed = claims.claim(foreign);
    } catch (LogException e) {
      opened = false; // what has become of the claims is not known
      throw e;
    }
    if (!claimed) {
      nextNanos = nanos + WHILE_CLAIMING.toNanos();
      if (claims.heldUpBelow() >= 0 && nanos - sinceNanos > HANGING.toNanos()) {
        endHanging(claims.split(), claims.heldUpBelow());
        nextNanos = nanos + RETRY.toNanos();
      }
    }
    return claimed;
  }

  /// The ends of the changelog's partitions when nothing in them was undecided.
  Map<Split, Long> ends() {
    return Collections.unmodifiableMap(ends);
  }

  /// Takes in who has written what was restored.
  void found(Collection<WriterId> writers) {
    for (WriterId id : writers) {
      String name = id.transactionalId();
      if (!name.equals(settings.transactionalId()) && !barred.contains(name)) {
        foreign.add(name);
      }
    }
  }

  boolean foundForeign() {
    return !foreign.isEmpty();
  }

  /// Whether the changelog has not grown while it was read. Else another process writes it, and
  /// what the cleaner has removed for that was perhaps not read.
  boolean unchanged() {
    try {
      for (Map.Entry<Split, Log.Offsets> entry : log.offsets(moves.changelog()).entrySet()) {
        Long end = ends.get(entry.getKey());
        if (end == null || end != entry.getValue().end()) {
          LOG.warn(
              "{} has grown from {} to {} while it was restored: another process writes for these"
                  + " tasks. Restoring again.",
              entry.getKey(),
              end,
              entry.getValue().end());
          return false;
        }
      }
      return true;
    } catch (LogException e) {
      LOG.warn(
          "Restoring again, because the log does not answer who wrote meanwhile: {}",
          e.getMessage());
      return false;
    }
  }

  /// Looks, now and then, whether the markers of the last commit are visible, so that the next
  /// owner of the tasks finds it. What is undecided then can only be that.
  boolean isReleased(long nanos) {
    if (nanos - releaseLookNanos < 0) {
      return false;
    }
    releaseLookNanos = nanos + LOOK.toNanos();
    try {
      return log.offsets(moves.changelog()).values().stream()
          .allMatch(each -> each.stableEnd() == each.end());
    } catch (LogException e) {
      LOG.warn("Whether the last commit is visible yet is unknown: {}", e.getMessage());
      return false;
    }
  }

  /// Lets go of what it reads with.
  void close() {
    claims.close();
  }

  private boolean undecided(long nanos) {
    boolean undecided = false;
    ends.clear();
    for (Map.Entry<Split, Log.Offsets> entry : log.offsets(moves.changelog()).entrySet()) {
      ends.put(entry.getKey(), entry.getValue().stableEnd());
      if (entry.getValue().stableEnd() < entry.getValue().end()) {
        undecided = true;
        if (nanos - sinceNanos > HANGING.toNanos()) {
          endHanging(entry.getKey(), entry.getValue().end());
        }
      }
    }
    return undecided;
  }

  /// Ends what holds back a partition for long. A transaction may only be aborted from outside when
  /// nobody can write to it any more: so its writer is barred first, and what is then still open is
  /// aborted at the next look.
  ///
  /// @param below the offset below which that is looked for
  private void endHanging(Split split, long below) {
    for (Log.OpenTransaction open : log.openTransactions(split)) {
      if (open.firstOffset() >= below) {
        continue;
      }
      String id = open.transactionalId();
      boolean known = hanging.contains(open);
      if (!id.isEmpty() && !id.startsWith(settings.idPrefix())) {
        if (!known) {
          LOG.warn(
              "The transaction of '{}' is open in {} from offset {} and blocks this job. Only this"
                  + " application may write there: stop that writer, or abort the transaction with"
                  + " kafka-transactions.sh.",
              id,
              split,
              open.firstOffset());
        }
      } else if (known) {
        LOG.warn("Aborting a hanging transaction in {} whose writer is gone: {}", split, open);
        log.abortHanging(split, open);
      } else {
        LOG.warn("Fencing the writer of a hanging transaction in {}: {}", split, open);
        bar(id);
      }
      hanging.add(open); // not before the writer is barred
    }
  }

  /// Bars a writer of the application.
  ///
  /// @param id empty if the log does not know the writer any more, so that it cannot write
  private void bar(String id) {
    if (id.equals(settings.transactionalId())) {
      // Either it was left behind by a writer before this one, or another process has taken over:
      // that bars this one, which is told here.
      writer.open();
      moves.opened(settings.transactionalId());
    } else if (!id.isEmpty()) {
      log.fence(List.of(id));
    }
  }
}
