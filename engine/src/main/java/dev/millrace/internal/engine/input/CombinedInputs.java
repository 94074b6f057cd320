package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the inputs of a task come to together.
public final class CombinedInputs {
  private CombinedInputs() {}

  /// Returns what a commit says of inputs that the task does not read any more.
  public static List<CommitRecord.Input> parked(CommitRecord record, List<TaskInput> inputs) {
    return record.inputs().stream()
        .filter(each -> inputs.stream().noneMatch(input -> input.split().equals(each.split())))
        .toList();
  }

  /// Returns what a commit says of all inputs.
  ///
  /// @param parked those that the task does not read any more
  public static List<CommitRecord.Input> toCommitRecord(
      List<TaskInput> inputs, List<CommitRecord.Input> parked) {
    return Stream.concat(inputs.stream().map(TaskInput::toCommitRecord), parked.stream()).toList();
  }

  /// The watermark of all.
  public static long watermark(List<TaskInput> inputs) {
    return InputTime.least(
        inputs.size(),
        i -> inputs.get(i).clock().time().watermark(),
        i -> inputs.get(i).clock().time().idle());
  }

  /// Whether none has anything to say of the time.
  public static boolean idle(List<TaskInput> inputs) {
    return inputs.stream().allMatch(input -> input.isBroadcast() || input.clock().time().idle());
  }

  /// Goes on after a start: those that were idle may not be any more. Not before an advance that a
  /// crash has broken off is at its end, whose target may follow from that they were; operators
  /// take records only between whole ones.
  public static void resume(List<TaskInput> inputs) {
    for (int i = 0, count = inputs.size(); i < count; i++) {
      inputs.get(i).clock().idleness().resume();
    }
  }

  /// How many records are left until their ends as they are known; negative if one is not.
  public static long lag(List<TaskInput> inputs, EndOffsets ends) {
    long lag = 0;
    for (TaskInput input : inputs) {
      long behind = lag(input, ends);
      lag = behind < 0 || lag < 0 ? -1 : lag + behind;
    }
    return lag;
  }

  private static long lag(TaskInput input, EndOffsets ends) {
    if (input.ended() || input.inMemory()) {
      return 0;
    }
    long known = ends.endOffset(input.split());
    return known < 0 ? -1 : Math.max(0, known - input.position().offset());
  }

  /// Looks for those that have become idle.
  ///
  /// @return whether any has
  public static boolean updateIdle(
      List<TaskInput> inputs, EndOffsets ends, long nowNanos, long afterNanos) {
    boolean any = false;
    for (TaskInput input : inputs) {
      Idleness idleness = input.clock().idleness();
      if (idleness.canChange()) {
        boolean atEnd = !input.isExchange() && isAtEnd(input, ends.endOffset(input.split()));
        any |= idleness.look(atEnd, nowNanos, afterNanos);
      }
    }
    return any;
  }

  private static boolean isAtEnd(TaskInput input, long logEnd) {
    return logEnd >= 0 && input.position().offset() >= logEnd && !input.hasWaiting();
  }

  /// Tells a commit where they stand, as far as the log is to know it and they have moved.
  ///
  /// @param last what was committed before; null if nothing was
  public static void addPositions(
      List<TaskInput> inputs,
      @Nullable CommitRecord last,
      Sources sources,
      BiConsumer<Split, Position> positions) {
    List<CommitRecord.Input> before = last == null ? List.of() : last.inputs();
    for (int i = 0; i < inputs.size(); i++) {
      TaskInput input = inputs.get(i);
      if (i < before.size() && stoodAt(before.get(i), input)) {
        continue; // usually they are in the same order; whoever is not counts as moved
      }
      // Of a split that every task reads, none says where it stands.
      if (!input.isExchange() && !input.isBroadcast() && sources.onLog(input.split().stream())) {
        positions.accept(input.split(), input.position());
      }
    }
  }

  private static boolean stoodAt(CommitRecord.Input before, TaskInput input) {
    return before.split().equals(input.split()) && before.position().equals(input.position());
  }

  /// Whether records wait that came through memory.
  public static boolean receive(List<TaskInput> inputs) {
    for (int i = 0, count = inputs.size(); i < count; i++) {
      if (inputs.get(i).inMemory() && inputs.get(i).hasWaiting()) {
        return true;
      }
    }
    return false;
  }
}
