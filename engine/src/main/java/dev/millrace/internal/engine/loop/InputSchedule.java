package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.input.DirectInputs;
import dev.millrace.internal.engine.input.EndOffsets;
import dev.millrace.internal.engine.input.Fetcher;
import dev.millrace.internal.engine.input.TaskInput;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The inputs of a worker's tasks, which take turns. Some of them wait: for tables, or for others
/// that are behind in event time.
final class InputSchedule {
  private final Fetcher fetcher;
  private final DirectInputs directInputs;
  private final AlignedInputs aligned;
  private final List<Turn> turns = new ArrayList<>();
  private int next;

  /// An input and the task it feeds.
  record Turn(Task task, TaskInput input) {}

  InputSchedule(Fetcher fetcher, DirectInputs directInputs, AlignedInputs aligned) {
    this.fetcher = fetcher;
    this.directInputs = directInputs;
    this.aligned = aligned;
  }

  /// Begins to read inputs of a task.
  ///
  /// @param full whether the task has no memory for more
  void begin(Task task, List<TaskInput> inputs, BooleanSupplier full) {
    for (TaskInput input : inputs) {
      turns.add(new Turn(task, input));
      if (input.isDirect()) {
        directInputs.begin(task.id().stage(), input, full);
      }
      if (!input.inMemory()) {
        fetcher.begin(input);
      }
    }
  }

  /// Stops to read the inputs of a task and forgets them.
  void end(Task task) {
    for (Turn turn : turns) {
      if (turn.task() == task && !turn.input().inMemory()) {
        fetcher.end(turn.input());
      }
    }
    turns.removeIf(turn -> turn.task() == task);
    next = 0;
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
    aligned.end();
  }

  /// Looks how far all inputs are, now and then.
  void look(EndOffsets ends, long nowNanos) {
    aligned.look(turns, ends, nowNanos);
  }

  /// Whether an input waits for tables, or for others in event time.
  boolean isHeld(Turn turn) {
    return turn.input.order().isHeld() || aligned.isAhead(turn);
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
