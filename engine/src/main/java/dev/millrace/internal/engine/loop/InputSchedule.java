package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.input.Alignment;
import dev.millrace.internal.engine.input.DirectInputs;
import dev.millrace.internal.engine.input.EndOffsets;
import dev.millrace.internal.engine.input.Fetcher;
import dev.millrace.internal.engine.input.TaskInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The inputs of a worker's tasks, which take turns, and of which none gets far ahead of the others
/// of its stage in event time: see [Alignment].
final class InputSchedule {
  private static final Logger LOG = LoggerFactory.getLogger(InputSchedule.class);
  private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();
  private static final long TELL_AFTER_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long TELL_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

  private final Fetcher fetcher;
  private final DirectInputs directInputs;
  private final Alignment.Share alignment;
  private final long patienceNanos;
  private final List<Turn> turns = new ArrayList<>();

  /// By stage.
  private final long[] last;

  /// By stage, how far an input may have come.
  private final long[] limits;

  private int next;
  private long lookedNanos;
  private boolean looked;
  private boolean holding;
  private long tellAtNanos;

  /// An input and the task it feeds.
  record Turn(Task task, TaskInput input) {}

  /// @param patience how long an input that is not at its end may have no records until the others
  ///   go on without it
  InputSchedule(
      Fetcher fetcher, DirectInputs directInputs, Alignment.Share alignment, Duration patience) {
    this.fetcher = fetcher;
    this.directInputs = directInputs;
    this.alignment = alignment;
    patienceNanos = patience.toNanos();
    last = new long[alignment.stages()];
    limits = new long[alignment.stages()];
    Arrays.fill(limits, Alignment.NOBODY);
  }

  /// Begins to read the inputs of a task.
  ///
  /// @param full whether the task has no memory for more
  void begin(Task task, BooleanSupplier full) {
    for (TaskInput input : task.inputs()) {
      turns.add(new Turn(task, input));
      if (input.isDirect()) {
        directInputs.begin(task.id().stage(), input, full);
      }
      if (!input.inMemory()) {
        fetcher.begin(input);
      }
    }
  }

  /// A slice of an input was processed.
  ///
  /// @param fetched whether it was read from the log before that
  /// @param endedBefore whether it had ended before
  /// @return whether that was its end
  boolean processed(TaskInput input, boolean fetched, boolean endedBefore) {
    if (fetched && input.inMemory()) {
      fetcher.leave(input);
    } else if (fetched) {
      return fetcher.processed(input, endedBefore);
    }
    return input.ended() && !endedBefore;
  }

  /// Stops to read all inputs and forgets them; others do not wait for them any more.
  void end() {
    fetcher.end();
    directInputs.end();
    turns.clear();
    next = 0;
    looked = false;
    holding = false;
    for (int stage = 0; stage < limits.length; stage++) {
      limits[stage] = Alignment.NOBODY;
      alignment.say(stage, Alignment.NOBODY);
    }
  }

  /// Looks how far all inputs are, now and then.
  void look(EndOffsets ends, long nowNanos) {
    if (looked && nowNanos - lookedNanos < LOOK_NANOS) {
      return;
    }
    looked = true;
    lookedNanos = nowNanos;
    Arrays.fill(last, Alignment.NOBODY);
    for (int i = 0, count = turns.size(); i < count; i++) {
      Turn turn = turns.get(i);
      if (turn.input.catchesUp(ends, nowNanos, patienceNanos)) {
        int stage = turn.task.id().stage();
        last[stage] = Math.min(last[stage], turn.input.readUpTo());
      }
    }
    for (int stage = 0; stage < limits.length; stage++) {
      alignment.say(stage, last[stage]);
      limits[stage] = alignment.limit(stage);
    }
    hold(nowNanos);
  }

  private void hold(long nowNanos) {
    boolean before = holding;
    Turn furthest = null;
    for (int i = 0, count = turns.size(); i < count; i++) {
      Turn turn = turns.get(i);
      if (turn.input.hasWaiting()
          && isAhead(turn)
          && (furthest == null || turn.input.readUpTo() > furthest.input.readUpTo())) {
        furthest = turn;
      }
    }
    holding = furthest != null;
    if (furthest == null) {
      return;
    }
    if (!before) {
      tellAtNanos = nowNanos + TELL_AFTER_NANOS;
    } else if (nowNanos - tellAtNanos >= 0) {
      tellAtNanos = nowNanos + TELL_EVERY_NANOS;
      tell(furthest);
    }
  }

  private void tell(Turn furthest) {
    long ahead = furthest.input.readUpTo() - limits[furthest.task.id().stage()];
    LOG.info(
        "Task {} pauses {}: its event time is {} ahead of that of other inputs of its stage, which"
            + " is more than input.alignment allows.",
        furthest.task.name(),
        furthest.input.split(),
        ahead < 0 ? "far" : Duration.ofMillis(ahead));
  }

  /// Whether an input waits for others, which may have got on in the meantime.
  boolean holds() {
    return holding;
  }

  private boolean isAhead(Turn turn) {
    return turn.input.mayBeHeld() && turn.input.readUpTo() > limits[turn.task.id().stage()];
  }

  /// Whether an input waits for tables, or for others in event time.
  boolean isHeld(Turn turn) {
    return turn.input.isHeld() || isAhead(turn);
  }

  /// Whether there is one that may.
  boolean any(Predicate<Turn> may) {
    for (int i = 0, count = turns.size(); i < count; i++) {
      if (may.test(turns.get(i))) {
        return true;
      }
    }
    return false;
  }

  /// The next one that may; null if there is none.
  @Nullable Turn next(Predicate<Turn> may) {
    for (int i = 0, count = turns.size(); i < count; i++) {
      Turn turn = turns.get((next + i) % count);
      if (may.test(turn)) {
        next = (next + i + 1) % count;
        return turn;
      }
    }
    return null;
  }
}
