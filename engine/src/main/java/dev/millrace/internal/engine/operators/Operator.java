package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// An operator with state: one instance a task, used by one thread.
///
/// It is opened on the state of a commit and closed when that state is rolled back or the task
/// ends; what it holds outside its stores is a cache.
public interface Operator {

  void open(OperatorContext context);

  /// Processes a batch. An exception is bad input at the current row of the cursor.
  void process(RowCursor rows, RowSink out);

  /// Processes a batch of one of several inputs, counted from 0.
  default void process(int input, RowCursor rows, RowSink out) {
    process(rows, out);
  }

  /// Event time moves on: does what is due up to the watermark, at most about `budget` results of
  /// it.
  ///
  /// @param watermark no row below it will come; `Long.MAX_VALUE` when the input has ended
  /// @return whether everything due is done; otherwise it is called again with the same watermark
  boolean advance(long watermark, int budget, RowSink out);

  /// Describes something that [RowSink#begins] was told of; null if nobody can pass it over.
  default @Nullable Due due(Bytes place) {
    return Due.at(place, "result");
  }

  /// What the operator keeps of it, as bytes; null if that is not one value.
  default @Nullable Bytes kept(Bytes place) {
    return null;
  }

  /// What a result is of besides the key of its row, where a key has results of several entries,
  /// each of which has one at a time; null if the key says it all.
  default @Nullable Bytes entry(Object result) {
    return null;
  }

  /// Whether what is taken back may have nothing in its place.
  default boolean resultsVanish() {
    return true;
  }

  /// The barrier before a commit: what is written to the stores until this returns belongs to it.
  ///
  /// @param number of the task's commit; they count up from 1
  default void beforeCommit(long number) {}

  /// A commit has taken place; also called after [#open] with the last one there was.
  ///
  /// @return whether there is something for the next commit because of it
  default boolean afterCommit(long number) {
    return false;
  }

  /// Marks a place to which the task may go back although there is no commit, with its stores as
  /// they are when this returns. It is then closed, and another one opened; or [#undo] does it.
  ///
  /// @return whether that can be
  default boolean mark() {
    return true;
  }

  /// Goes back to the last [#mark] by itself; its stores have been brought there.
  ///
  /// @return false if it cannot
  default boolean undo() {
    return false;
  }

  void close();
}
