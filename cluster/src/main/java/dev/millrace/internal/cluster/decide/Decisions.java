package dev.millrace.internal.cluster.decide;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.internal.cluster.read.Inbox;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads the decisions of an application's coordinators, in the order in which they were made. Used
/// by one thread.
public final class Decisions implements AutoCloseable {
  private final Log log;
  private final Split split;
  private final Bytes view = new Bytes();
  private final Inbox inbox;
  private Replay replay = new Replay();
  private boolean open;
  private @Nullable Position next;
  private long end;
  private long terms;

  /// The changes that were read before the topic had to be read anew.
  private long forgotten;

  /// With a reader of its own.
  public Decisions(String application, Log log) {
    this(application, log, new Inbox(log, "decisions"));
  }

  /// @param inbox what it reads with
  public Decisions(String application, Log log, Inbox inbox) {
    this.log = log;
    this.inbox = inbox;
    split = split(application);
  }

  /// Returns the topic with the decisions of an application; it must exist.
  public static TopicSpec topic(String application) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("cleanup.policy", "compact");
    settings.put("message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
    settings.put("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    return new TopicSpec(Plan.placementTopic(application), 1, -1, settings);
  }

  static Split split(String application) {
    return new Split(topic(application).name(), 0);
  }

  /// Reads what is there, and waits for nothing but the log.
  ///
  /// @return [#isCurrent]
  /// @throws LogException if it cannot be read now; the next call goes on
  public boolean read() {
    try {
      if (!open) {
        open();
      }
      readOn();
    } catch (LogException e) {
      close();
      if (e.kind() == LogException.Kind.POSITION_LOST) {
        next = null;
        forgotten += replay.changes() + 1;
        replay = new Replay();
      }
      throw e;
    }
    return isCurrent();
  }

  /// Reads what is there, and waits until all of it was read that was there at the beginning.
  ///
  /// @param pause between two looks
  /// @throws LogException if it cannot be read, or not in time
  public void readAll(Clock clock, Runnable pause, Duration patience) {
    long begunNanos = clock.nanos();
    while (!read()) {
      if (Thread.currentThread().isInterrupted()
          || clock.nanos() - begunNanos > patience.toNanos()) {
        throw new LogException(
            LogException.Kind.UNAVAILABLE,
            "What is decided about the tasks, in topic '%s', could not be read within %d s."
                .formatted(split.stream(), patience.toSeconds()));
      }
      pause.run();
    }
  }

  private void readOn() {
    RecordBatch batch = inbox.next(split);
    while (batch != null) {
      tell(batch);
      next = batch.position(batch.size());
      batch.release();
      batch = inbox.next(split);
    }
  }

  private void open() {
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    end = offsets.stableEnd();
    Position from = next == null ? Position.of(offsets.start()) : next;
    next = from;
    inbox.add(split, from);
    open = true;
  }

  private void tell(RecordBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.hasKey(i)) {
        String key = batch.key(i, view).toUtf8();
        Bytes value = batch.hasValue(i) ? batch.value(i, view) : null;
        if (value == null || Codec.isKnown(value)) {
          tell(key, value);
        }
      }
    }
  }

  private void tell(String key, @Nullable Bytes value) {
    if (key.startsWith(Codec.MEMBER)) {
      replay.add(key.substring(Codec.MEMBER.length()), value == null ? null : Codec.orders(value));
    } else if (key.startsWith(Codec.BUNDLE)) {
      int bundle = Integer.parseInt(key.substring(Codec.BUNDLE.length()));
      replay.add(bundle, value == null ? null : Codec.homes(value));
    } else if (key.startsWith(Codec.DRAINED)) {
      replay.drain(key.substring(Codec.DRAINED.length()), value != null);
    } else if (key.startsWith(Codec.MOVED)) {
      int bundle = Integer.parseInt(key.substring(Codec.MOVED.length()));
      replay.move(bundle, value == null ? null : Codec.move(value));
    } else if (key.startsWith(Codec.PART)) {
      int part = Integer.parseInt(key.substring(Codec.PART.length()));
      replay.part(part, value == null ? null : Codec.part(value));
    } else if (key.startsWith(Codec.SPLIT)) {
      int bundle = Integer.parseInt(key.substring(Codec.SPLIT.length()));
      replay.split(bundle, value == null ? null : Codec.split(value));
    } else if (key.startsWith(Codec.RESTART)) {
      replay.restart(
          key.substring(Codec.RESTART.length()), value == null ? null : Codec.restart(value));
    } else if (key.equals(Codec.TERM) && value != null) {
      replay.end(Codec.term(value));
      terms++;
    }
  }

  /// Returns whether everything was read that was in the log when the reader began; before that,
  /// what it shows was never decided as a whole.
  public boolean isCurrent() {
    return open && next != null && next.offset() >= end;
  }

  /// Returns the offset up to which decisions were read.
  long readTo() {
    return next == null ? 0 : next.offset();
  }

  /// Returns the last term that was read.
  public Term term() {
    return replay.term();
  }

  /// Returns how often a leader was heard of.
  public long heard() {
    return terms;
  }

  /// Returns a number that changes when anything was read but beats.
  public long changes() {
    return replay.changes() + forgotten;
  }

  /// Returns what is decided about each bundle, as a view.
  public SortedMap<Integer, Seat> seats() {
    return replay.seats();
  }

  /// Returns the names of members and hosts that are to have nothing, as a view; see [Requests].
  public SortedSet<String> drained() {
    return replay.drained();
  }

  /// Returns which bundles somebody wants to be where, as a view; see [Requests].
  public SortedMap<Integer, MoveRequest> moves() {
    return replay.moves();
  }

  /// Returns the bundles that are split off from others, or are to be, by their numbers, as a view.
  public SortedMap<Integer, Part> parts() {
    return replay.parts();
  }

  /// Returns the bundles that somebody wants to be split, as a view; see [Requests].
  public SortedMap<Integer, SplitRequest> splits() {
    return replay.splits();
  }

  /// Returns what was asked last of a process of a home; null if nothing was.
  public @Nullable RestartRequest restart(String home) {
    return replay.restart(home);
  }

  /// Returns what a member is to own as soon as others have let go of it; by bundle, the version.
  public SortedMap<Integer, Long> coming(String home) {
    return replay.coming(home);
  }

  /// Returns what a member is to do; what is [#coming] is not in it.
  public Orders orders(String home) {
    return replay.orders().getOrDefault(home, Orders.NONE);
  }

  /// Returns how many members have something to do.
  public int members() {
    return replay.orders().size();
  }

  SortedMap<String, Orders> allOrders() {
    return replay.orders();
  }

  /// Lets go of the log; the next [#read] goes on.
  @Override
  public void close() {
    open = false;
    inbox.remove(split);
  }
}
