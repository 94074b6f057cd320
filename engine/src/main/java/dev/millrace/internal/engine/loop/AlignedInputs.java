package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.input.Alignment;
import dev.millrace.internal.engine.input.EndOffsets;
import dev.millrace.internal.engine.loop.InputSchedule.Turn;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the inputs of a worker that are far ahead of others of their stage in event time while
/// these catch up; see [Alignment].
final class AlignedInputs {
  private static final Logger LOG = LoggerFactory.getLogger(AlignedInputs.class);
  private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();
  private static final long TELL_AFTER_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long TELL_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

  private final Alignment.Share alignment;
  private final long patienceNanos;

  /// By stage.
  private final long[] last;

  /// By stage, how far an input may have come.
  private final long[] limits;

  private long lookedNanos;
  private boolean looked;
  private boolean holding;
  private long tellAtNanos;

  /// @param patience how long an input that is not at its end may have no records until the others
  ///   go on without it
  AlignedInputs(Alignment.Share alignment, Duration patience) {
    this.alignment = alignment;
    patienceNanos = patience.toNanos();
    last = new long[alignment.stages()];
    limits = new long[alignment.stages()];
    Arrays.fill(limits, Alignment.NOBODY);
  }

  /// Forgets all inputs; others do not wait for them any more.
  void end() {
    looked = false;
    holding = false;
    for (int stage = 0; stage < limits.length; stage++) {
      limits[stage] = Alignment.NOBODY;
      alignment.say(stage, Alignment.NOBODY);
    }
  }

  /// Looks how far all inputs are, now and then.
  void look(List<Turn> turns, EndOffsets ends, long nowNanos) {
    if (looked && nowNanos - lookedNanos < LOOK_NANOS) {
      return;
    }
    looked = true;
    lookedNanos = nowNanos;
    Arrays.fill(last, Alignment.NOBODY);
    for (int i = 0, count = turns.size(); i < count; i++) {
      Turn turn = turns.get(i);
      if (turn.input().order().catchesUp(ends, nowNanos, patienceNanos)) {
        int stage = turn.task().id().stage();
        last[stage] = Math.min(last[stage], readUpTo(turn));
      }
    }
    for (int stage = 0; stage < limits.length; stage++) {
      alignment.say(stage, last[stage]);
      limits[stage] = alignment.limit(stage);
    }
    hold(turns, nowNanos);
  }

  private static long readUpTo(Turn turn) {
    return turn.input().clock().readUpTo();
  }

  private void hold(List<Turn> turns, long nowNanos) {
    boolean before = holding;
    Turn furthest = furthestAhead(turns);
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

  private @Nullable Turn furthestAhead(List<Turn> turns) {
    Turn furthest = null;
    for (int i = 0, count = turns.size(); i < count; i++) {
      Turn turn = turns.get(i);
      if (turn.input().hasWaiting()
          && isAhead(turn)
          && (furthest == null || readUpTo(turn) > readUpTo(furthest))) {
        furthest = turn;
      }
    }
    return furthest;
  }

  private void tell(Turn furthest) {
    long ahead = readUpTo(furthest) - limits[furthest.task().id().stage()];
    LOG.info(
        "Task {} pauses {}: its event time is {} ahead of that of other inputs of its stage, which"
            + " is more than input.alignment allows.",
        furthest.task().name(),
        furthest.input().split(),
        ahead < 0 ? "far" : Duration.ofMillis(ahead));
  }

  /// Whether an input waits for others, which may have got on in the meantime.
  boolean holds() {
    return holding;
  }

  /// Whether an input has to wait for others.
  boolean isAhead(Turn turn) {
    return turn.input().order().mayBeHeld() && readUpTo(turn) > limits[turn.task().id().stage()];
  }
}
