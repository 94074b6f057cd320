package dev.millrace.internal.beam.operators;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What becomes of the values of a key in a window: it is kept as one object, which may be changed
/// in place, under its place in the stores.
interface Gathering {
  /// Opens the stores that it declares.
  void open(OperatorContext context);

  /// Adds a value.
  ///
  /// @param kept what is kept so far; null if there is nothing
  /// @param value as it was written, valid during the call
  /// @return what is to be kept
  Object add(@Nullable Object kept, Bytes at, Bytes value);

  /// Adds what is kept of a key in one window to what is kept in another one, where its windows
  /// merge.
  ///
  /// @param from the place of what is added; what is kept beside it is deleted
  /// @return what is to be kept
  Object merge(Object kept, Bytes at, Object added, Bytes from);

  /// Returns the result of a window that has ended, and deletes what is kept beside the object.
  Object result(Object kept, Bytes at);

  /// How values are gathered, as a topology carries it.
  interface Kind {
    /// Returns a new one for a task.
    Gathering create();

    /// Returns the serde of what is kept.
    Serde<Object> serde();

    /// Returns the stores that it has besides.
    List<StoreSpec<?, ?>> stores();
  }
}
