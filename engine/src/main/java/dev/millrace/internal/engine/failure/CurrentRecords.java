package dev.millrace.internal.engine.failure;

import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.spi.settings.RecordPlace;
import org.jspecify.annotations.Nullable;

/// The records a task is at work on, for whoever has to say which of them failed.
public final class CurrentRecords {
  private @Nullable TaskInput input;
  private int from;
  private int to;

  /// @param newFrom the first of [TaskInput#head]
  /// @param newTo behind the last
  public void on(TaskInput newInput, int newFrom, int newTo) {
    input = newInput;
    from = newFrom;
    to = newTo;
  }

  /// How many of them are known to be in front of the one that failed.
  ///
  /// @param index in the batch, as the chain knows it; negative if it does not
  public int before(int index) {
    return Math.max(0, index - from);
  }

  /// They are to be processed again.
  public void again() {
    if (input != null) {
      input.clock().again();
      input = null;
    }
  }

  public void done() {
    input = null;
  }

  /// Whether they came through the memory of a direct exchange.
  boolean isInMemory() {
    return input != null && input.inMemory();
  }

  /// Where the record lies that failed; null if it is not known which, or if it has no place.
  ///
  /// @param index in the batch, as the chain knows it; negative if it does not
  @Nullable RecordPlace record(int index) {
    int known = index < 0 && to - from == 1 ? from : index;
    return known < 0 ? null : place(known);
  }

  /// Where the last of several lies; null if there are none, or if they have no place.
  @Nullable RecordPlace lastOfMany() {
    return to - from <= 1 ? null : place(to - 1);
  }

  private @Nullable RecordPlace place(int index) {
    if (input == null || input.inMemory()) {
      return null;
    }
    long offset = input.head().offset(index);
    return new RecordPlace(input.split().stream(), input.split().partition(), offset);
  }
}
