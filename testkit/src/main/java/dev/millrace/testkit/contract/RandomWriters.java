package dev.millrace.testkit.contract;

import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.contract.WriterHistory.Transaction;
import dev.millrace.testkit.contract.WriterHistory.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A few writers that do whatever is drawn, with fewer ids than writers, so that they fence each
/// other.
///
/// No step waits. What the writers are told goes into the history.
final class RandomWriters {
  private final Seed seed;
  private final Log log;
  private final List<Split> splits;
  private final List<String> ids;
  private final Duration timeout;
  private final WriterHistory history;
  private final List<Slot> slots = new ArrayList<>();
  private int values;

  RandomWriters(
      Seed seed,
      Log log,
      List<Split> splits,
      List<String> ids,
      int writers,
      Duration timeout,
      WriterHistory history) {
    this.seed = seed;
    this.log = log;
    this.splits = splits;
    this.ids = ids;
    this.timeout = timeout;
    this.history = history;
    for (int i = 0; i < writers; i++) {
      slots.add(new Slot());
    }
  }

  /// The group whose position a writer sends along.
  static String group(String writerId) {
    return "group-" + writerId;
  }

  /// One writer does one thing.
  void step() {
    seed.pick(slots).step();
  }

  /// One writer goes on with what it has begun, and begins nothing.
  ///
  /// @return whether nothing is left to be ended
  boolean finish() {
    boolean done = true;
    for (Slot slot : slots) {
      done &= slot.finish();
    }
    return done;
  }

  /// The process of the writers is gone: nobody will ever be told how their transactions ended.
  void forget() {
    slots.forEach(Slot::forget);
  }

  private final class Slot {
    private @Nullable TransactionalWriter writer;
    private String id = "";
    private boolean open;
    private boolean ending;
    private boolean committing;
    private @Nullable Transaction transaction;

    void step() {
      if (writer == null) {
        id = seed.pick(ids);
        writer = log.writer(id, timeout);
      }
      if (!open) {
        open(writer);
      } else if (ending) {
        hear(writer);
      } else {
        act(writer);
      }
    }

    private void open(TransactionalWriter opened) {
      try {
        opened.open();
        open = true;
      } catch (LogException failure) {
        switch (failure.kind()) {
          case UNAVAILABLE -> {}
          case FENCED -> close(opened);
          default -> throw failure;
        }
      }
    }

    private void act(TransactionalWriter acting) {
      int draw = seed.below(100);
      if (draw < 60) {
        send(acting);
      } else if (draw < 66) {
        sendPosition(acting);
      } else if (draw < 82) {
        end(acting, true);
      } else if (draw < 88) {
        end(acting, false);
      } else if (draw < 92) {
        hear(acting);
      } else if (draw < 94) {
        close(acting);
      } else if (draw < 96) {
        lose(Verdict.ABORTED);
        open = false;
        open(acting);
      } else if (draw < 97) {
        fence();
      }
    }

    private void send(TransactionalWriter sender) {
      Split to = seed.pick(splits);
      String[] sent = new String[seed.between(1, 5)];
      for (int i = 0; i < sent.length; i++) {
        sent[i] = id + "/" + current().number + "/" + values++;
      }
      current().values.computeIfAbsent(to, key -> new ArrayList<>()).addAll(List.of(sent));
      sender.send(to, LogBench.batch(sent));
    }

    private void sendPosition(TransactionalWriter sender) {
      current().position = values++;
      Map<Split, Position> positions = Map.of(splits.getFirst(), Position.of(current().position));
      sender.sendPositions(group(id), positions);
    }

    private void end(TransactionalWriter ended, boolean commit) {
      ending = true;
      committing = commit;
      if (commit) {
        ended.commit();
      } else {
        ended.abort();
      }
      hear(ended);
    }

    private void hear(TransactionalWriter listened) {
      Outcome outcome = listened.outcome();
      switch (outcome) {
        case OPEN, PENDING -> {}
        case COMMITTED -> {
          Transaction committed = current();
          for (Split split : committed.values.keySet()) {
            committed.ends.put(split, listened.committedEnd(split));
          }
          lose(Verdict.COMMITTED);
        }
        case ABORTED -> lose(Verdict.ABORTED);
        case UNKNOWN -> {
          lose(committing ? Verdict.EITHER : Verdict.ABORTED);
          open = false;
        }
        case FENCED -> {
          lose(committing ? Verdict.EITHER : Verdict.ABORTED);
          close(listened);
        }
      }
    }

    private void close(TransactionalWriter closed) {
      closed.close();
      forget();
    }

    private void fence() {
      try {
        log.fence(List.of(seed.pick(ids)));
      } catch (LogException failure) {
        if (failure.kind() != LogException.Kind.UNAVAILABLE) {
          throw failure;
        }
      }
    }

    void forget() {
      lose(committing ? Verdict.EITHER : Verdict.ABORTED);
      writer = null;
      open = false;
    }

    boolean finish() {
      if (writer == null) {
        return true;
      }
      if (!open) {
        open(writer);
      } else if (ending) {
        hear(writer);
      } else if (transaction != null) {
        end(writer, seed.coin());
      } else {
        close(writer);
      }
      return writer == null;
    }

    private Transaction current() {
      if (transaction == null) {
        transaction = history.begin(id);
      }
      return transaction;
    }

    private void lose(Verdict verdict) {
      if (transaction != null) {
        transaction.verdict = verdict;
      }
      transaction = null;
      ending = false;
      committing = false;
    }
  }
}
