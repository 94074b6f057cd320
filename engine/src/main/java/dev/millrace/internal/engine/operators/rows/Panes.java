package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a window operator keeps of each key and window: a pane. One instance a task.
///
/// The store's keys are the window's start and the row's key, so panes lie in the order of time
/// and, within one window, of the keys' bytes.
///
/// @param <V> what lies in the store
public interface Panes<V> {

  /// How a topology carries them.
  ///
  /// @param stores the first of them is the one whose keys are the panes
  record Declared(Factory factory, List<StoreSpec<?, ?>> stores) {}

  /// Makes panes for a task.
  @FunctionalInterface
  interface Factory {
    Panes<?> create();
  }

  void open(OperatorContext context);

  void close();

  /// The store of all panes; what is needed beside it lies elsewhere.
  KeyValueStore<Bytes, V> store();

  /// Reads ahead for [#store].
  ReadAhead ahead();

  /// What a pane is, for a change: until [#add] or [#remove] is called with it, no store of the
  /// task is asked for anything.
  ///
  /// @return null if there is none yet
  @Nullable V find(Bytes storeKey);

  /// Adds a row to a pane.
  ///
  /// @param pane what [#find] has found
  void add(Bytes storeKey, @Nullable V pane, RowCursor row);

  /// Takes a row out of a pane; the last one takes the pane away.
  ///
  /// @param pane what [#find] has found
  /// @throws IllegalStateException if the row is not in it
  void remove(Bytes storeKey, @Nullable V pane, RowCursor row);

  /// The result of a pane as it is now.
  ///
  /// @return an object that stays as it is
  Object result(Window window, Bytes storeKey, V pane);

  void delete(Bytes storeKey);

  /// What a pane is as bytes; null if that is not one value.
  @Nullable Bytes kept(Bytes storeKey);

  /// What to throw at a row that takes back one that never came.
  static IllegalStateException nothingToTakeBack() {
    return new IllegalStateException(
        "A result was retracted that was never emitted. Functions between two windows must be pure:"
            + " they must return the same result for the same value.");
  }
}
