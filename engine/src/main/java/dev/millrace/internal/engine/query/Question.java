package dev.millrace.internal.engine.query;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.CommittedState;
import dev.millrace.internal.state.CommittedState.Entry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// What somebody outside wants to know of a task's store.
///
/// @param store its number
/// @param from the key, or the first of a range
/// @param range null for the one key
/// @param oldest how old an answer of a copy may be; null if only the owner of the task may answer
/// @param answer takes it
public record Question(
    Plan.TaskId task,
    int store,
    Bytes from,
    @Nullable Range range,
    @Nullable Duration oldest,
    CompletableFuture<Answer> answer) {

  /// What was found.
  ///
  /// @param entries in order
  /// @param age how long ago this was what is committed, at most; zero if the owner says it
  public record Answer(List<Entry> entries, Duration age) {}

  /// @param to the key behind the last; null for the end of the store
  public record Range(@Nullable Bytes to, int atMost) {}

  /// Answers it from what is committed.
  ///
  /// @param nowMillis the time in the task's last commit record
  /// @param age of what is known to be committed
  void answer(CommittedState state, long nowMillis, Duration age) {
    if (answer.isDone()) {
      return; // nobody waits any more
    }
    if (range != null) {
      List<Entry> entries = state.range(store, from, range.to, range.atMost, nowMillis);
      answer.complete(new Answer(entries, age));
    } else {
      Bytes value = state.get(store, from, nowMillis);
      List<Entry> entries = value == null ? List.of() : List.of(new Entry(from, value));
      answer.complete(new Answer(entries, age));
    }
  }
}
