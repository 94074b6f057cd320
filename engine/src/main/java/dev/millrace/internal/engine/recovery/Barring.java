package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bars writers of the application, each opening of one once: a writer that was opened again since
/// is at work for other tasks.
final class Barring {
  private static final Logger LOG = LoggerFactory.getLogger(Barring.class);

  /// What is open for longer is ended from here.
  private static final Duration HANGING = Duration.ofSeconds(10);

  /// How often at most it asks what is open in a partition, of which several tasks may wait.
  private static final Duration LOOK = Duration.ofMillis(400);

  private final Log log;
  private final String idPrefix;
  private final Set<String> ownIds;
  private final Set<WriterId> barred = new LinkedHashSet<>();

  /// The transactional ids that this process has opened.
  private final Set<String> opened = new LinkedHashSet<>();

  /// When it was looked for what holds back a partition.
  private final Map<Split, Long> lookedNanos = new LinkedHashMap<>();

  /// What holds back changelogs and claims, and since when.
  private final Map<Log.OpenTransaction, Long> sinceNanos = new LinkedHashMap<>();

  /// Those of them whose writers are barred.
  private final Set<Log.OpenTransaction> hanging = new LinkedHashSet<>();

  /// @param ownIds the transactional ids of the writers of this process
  Barring(Log log, String application, Set<String> ownIds) {
    this.log = log;
    this.ownIds = ownIds;
    idPrefix = Placement.idPrefix(application);
  }

  /// Takes in that this process has opened a writer, so that those before it are barred.
  void opened(String transactionalId) {
    opened.add(transactionalId);
  }

  /// Returns whether a writer is one of this process, or of a former one of its name. Such a one is
  /// barred by the one that is opened in its place, and to bar it would bar that one.
  boolean isOwn(String transactionalId) {
    return ownIds.contains(transactionalId);
  }

  /// Returns whether this process has opened a writer with an id.
  boolean hasOpened(String transactionalId) {
    return opened.contains(transactionalId);
  }

  /// Bars a writer, unless this opening of it was barred before. Waits for the log.
  void bar(WriterId writer) {
    if (!barred.contains(writer)) {
      LOG.info("Barring the writer '{}'.", writer.transactionalId());
      log.fence(List.of(writer.transactionalId()));
      barred.add(writer);
    }
  }

  /// Ends what has held back a changelog, or the claims, for long: bars its writer, and aborts what
  /// is open still when that is done.
  void endHanging(Split split, long nowNanos) {
    Long looked = lookedNanos.get(split);
    if (looked != null && nowNanos - looked < LOOK.toNanos()) {
      return;
    }
    lookedNanos.put(split, nowNanos);
    for (Log.OpenTransaction open : log.openTransactions(split)) {
      Long since = sinceNanos.putIfAbsent(open, nowNanos);
      if (since == null || nowNanos - since < HANGING.toNanos()) {
        continue;
      }
      sinceNanos.put(open, nowNanos); // in a while again
      String id = open.transactionalId();
      if (!id.isEmpty() && !id.startsWith(idPrefix)) {
        LOG.warn(
            "The transaction of '{}' is open in {} from offset {} and blocks a task. Only this"
                + " application may write there: stop that writer, or abort the transaction with"
                + " kafka-transactions.sh.",
            id,
            split,
            open.firstOffset());
      } else if (hanging.contains(open)) {
        LOG.warn("Aborting a hanging transaction in {} whose writer is gone: {}", split, open);
        log.abortHanging(split, open);
      } else if (!id.isEmpty()) {
        LOG.warn("Fencing the writer of a hanging transaction in {}: {}", split, open);
        log.fence(List.of(id));
      }
      hanging.add(open); // not before the writer is barred
    }
  }
}
