package dev.millrace.internal.engine.input;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.util.ArrayList;
import java.util.List;

/// A split that a worker reads, and the inputs that get its records: one, or, of a broadcast table,
/// one of each task. It is read once for all of them, from where the one stands that is furthest
/// behind.
final class FetchedSplit {
  private final Split split;
  private final List<TaskInput> inputs = new ArrayList<>();

  FetchedSplit(Split split) {
    this.split = split;
  }

  Split split() {
    return split;
  }

  /// Adds an input. What was fetched for the others is fetched again, for all of them.
  ///
  /// @return whether it is read from another place now
  boolean begin(TaskInput input, SplitReader reader) {
    boolean read = !ended();
    inputs.add(input);
    if (input.ended()) {
      return false;
    }
    if (read) {
      reader.remove(split);
    }
    Position from = input.position();
    for (TaskInput each : inputs) {
      if (!each.ended()) {
        each.clear();
        from = each.position().offset() < from.offset() ? each.position() : from;
      }
    }
    reader.add(split, from);
    return true;
  }

  /// Removes an input.
  void end(TaskInput input) {
    inputs.remove(input);
  }

  /// Whether no input reads it.
  boolean isEmpty() {
    return inputs.isEmpty();
  }

  /// Lays a batch into every input that needs it; takes over the caller's reference.
  void add(RecordBatch batch) {
    for (int i = 0, count = inputs.size(); i < count; i++) {
      TaskInput input = inputs.get(i);
      if (!input.ended()) {
        input.add(batch.retain());
      }
    }
    batch.release();
  }

  /// Whether no input needs more.
  boolean ended() {
    for (int i = 0, count = inputs.size(); i < count; i++) {
      if (!inputs.get(i).ended()) {
        return false;
      }
    }
    return true;
  }

  /// How many batches wait in the input that has the most.
  int waiting() {
    int most = 0;
    for (int i = 0, count = inputs.size(); i < count; i++) {
      most = Math.max(most, inputs.get(i).waiting());
    }
    return most;
  }

  /// The memory of what waits. Inputs share their batches, and all end with the same one, so this
  /// is what the one has that is furthest behind.
  long waitingBytes() {
    long most = 0;
    for (int i = 0, count = inputs.size(); i < count; i++) {
      most = Math.max(most, inputs.get(i).waitingBytes());
    }
    return most;
  }
}
