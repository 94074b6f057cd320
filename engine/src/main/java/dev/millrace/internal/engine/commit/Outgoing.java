package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// What leaves the members of a commit group, on its way into the transaction it belongs to.
///
/// What a member hands over before its part of a commit belongs to the transaction of that commit,
/// and is sent at once. What comes behind its part belongs to the next one, and waits until it is
/// known how this one ended.
///
/// Consumed positions are only shown to tools, and cost a transaction about as much time as its
/// records, so they go with one commit an interval; those of the others with the next that carries
/// any.
final class Outgoing {
  private final TransactionalWriter writer;
  private final GroupMetrics metrics;
  private final String group;
  private final Predicate<String> outside;

  /// The parts of the present commit, by the members that have handed theirs over.
  private final Map<Mailbox, Report.Part> parts = new LinkedHashMap<>();

  /// What belongs to the present transaction and was held back.
  private final List<RecordBatch> held = new ArrayList<>();

  private final List<RecordBatch> ofNext = new ArrayList<>();

  /// Of the present commit.
  private final Map<Split, Position> positions = new LinkedHashMap<>();

  /// Of commits that are acknowledged, and not sent.
  private final Map<Split, Position> unsent = new LinkedHashMap<>();

  private boolean positionsSent;

  /// Whether the end of the transaction was asked for.
  private boolean ending;

  private int records;

  /// Of these, what was sent before the barrier.
  private int early;

  Outgoing(GroupSettings settings, TransactionalWriter writer, GroupMetrics metrics) {
    this.writer = writer;
    this.metrics = metrics;
    group = settings.group();
    outside = settings.outside();
  }

  /// A batch that is ready before the commit.
  ///
  /// @param now whether it may be sent before the commit
  void add(Mailbox member, Report.Early early, boolean now) {
    if (ending || parts.containsKey(member)) {
      ofNext.addAll(early.batches());
    } else if (now) {
      early.batches().forEach(this::send);
    } else {
      held.addAll(early.batches());
    }
  }

  /// The barrier is sent.
  void barrier() {
    early = records;
  }

  /// @return how many members have handed their part over
  int add(Mailbox member, Report.Part part) {
    parts.put(member, part);
    return parts.size();
  }

  /// Whether something was sent in a transaction whose end was not asked for.
  boolean open() {
    return records > 0 && !ending;
  }

  /// Whether positions were kept back, for the next commit that carries any.
  boolean owesPositions() {
    return !unsent.isEmpty();
  }

  /// Whether something was sent in the transaction.
  boolean used() {
    return records > 0;
  }

  /// Sends the parts that were handed over, as all have done now.
  void sendParts() {
    held.forEach(this::send);
    held.clear();
    for (Report.Part part : parts.values()) {
      part.batches().forEach(this::send);
      positions.putAll(part.positions());
    }
    parts.clear();
  }

  /// Begins to commit.
  ///
  /// @param withPositions whether they are to be sent
  void commit(boolean withPositions) {
    if (withPositions) {
      sendPositions();
    }
    writer.commit();
    ending = true;
    metrics.sent(records, early);
  }

  private void sendPositions() {
    Map<Split, Position> all = new LinkedHashMap<>(unsent);
    all.putAll(positions);
    if (!all.isEmpty()) {
      writer.sendPositions(group, all);
      positionsSent = true;
    }
  }

  private void send(RecordBatch batch) {
    records += batch.size();
    if (outside.test(batch.split().stream())) {
      writer.sendOutside(batch.split(), batch);
    } else {
      writer.send(batch.split(), batch);
    }
  }

  /// The transaction is committed, and what waited for that can be sent.
  void committed() {
    ending = false;
    records = 0;
    if (positionsSent) {
      unsent.clear();
    } else {
      unsent.putAll(positions);
    }
    forgetPositions();
    ofNext.forEach(this::send);
    ofNext.clear();
  }

  private void forgetPositions() {
    positions.clear();
    positionsSent = false;
  }

  /// Drops everything; the transaction is not committed.
  void drop() {
    forgetPositions();
    ending = false;
    records = 0;
    parts.values().forEach(Report.Part::release);
    parts.clear();
    held.forEach(RecordBatch::release);
    held.clear();
    ofNext.forEach(RecordBatch::release);
    ofNext.clear();
  }
}
