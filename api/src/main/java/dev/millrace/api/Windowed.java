package dev.millrace.api;

import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;

/// The records of each key, split by event time.
public interface Windowed<K, V> {

  /// How many records each key has in each window.
  WindowedTable<K, Long> count(String name);

  /// The values of a key in a window combined, in the order they came.
  WindowedTable<K, V> reduce(String name, Reducer<V> reducer);

  /// The values of a key in a window folded, in the order they came.
  <A> WindowedTable<K, A> aggregate(String name, Initial<A> initial, Folder<A, ? super V> folder);

  <A> WindowedTable<K, A> aggregate(
      String name, Initial<A> initial, Folder<A, ? super V> folder, Serde<A> serde);
}
