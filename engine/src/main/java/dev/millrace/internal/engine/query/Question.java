package dev.millrace.internal.engine.query;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.CommittedState;
import dev.millrace.internal.state.CommittedState.Entry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// What somebody outside wants to know of a task's store.
///
/// @param store its number
/// @param from the key, or the first of a range
/// @param range null for the one key
/// @param answer the entries, in order
public record Question(
    Plan.TaskId task,
    int store,
    Bytes from,
    @Nullable Range range,
    CompletableFuture<List<Entry>> answer) {

  /// @param to the key behind the last; null for the end of the store
  public record Range(@Nullable Bytes to, int atMost) {}

  /// Answers it from what is committed.
  ///
  /// @param nowMillis the time in the task's last commit record
  void answer(CommittedState state, long nowMillis) {
    if (answer.isDone()) {
      return; // nobody waits any more
    }
    if (range != null) {
      answer.complete(state.range(store, from, range.to, range.atMost, nowMillis));
    } else {
      Bytes value = state.get(store, from, nowMillis);
      answer.complete(value == null ? List.of() : List.of(new Entry(from, value)));
    }
  }
}
