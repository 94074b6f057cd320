package dev.millrace.engine.operators;

import dev.millrace.api.serde.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The closed windows of keys that rows of a batch change, with what was emitted for them: when the
/// batch is done, that is taken back and the new result emitted, unless they are equal.
final class Corrections {
  /// Stands for no result.
  private static final Object NOTHING = new Object();

  private final Results results;
  private final WindowRows windowRows;
  private final Map<Bytes, Object> before = new LinkedHashMap<>();

  /// Tells results as they are now.
  @FunctionalInterface
  interface Results {
    /// @param window its start and the key; see [TimeKey]
    /// @return null if there is none
    @Nullable Object of(Bytes window);
  }

  Corrections(Results results, WindowRows windowRows) {
    this.results = results;
    this.windowRows = windowRows;
  }

  /// A closed window is about to change.
  void before(Bytes window) {
    if (!before.containsKey(window)) {
      Bytes kept = window.copy();
      before.put(kept, now(kept));
    }
  }

  private Object now(Bytes window) {
    Object result = results.of(window);
    return result == null ? NOTHING : result;
  }

  /// All rows of the batch are processed.
  void emit(RowSink out) {
    if (before.isEmpty()) {
      return;
    }
    before.forEach((window, old) -> {
      Object result = now(window);
      if (!old.equals(result)) {
        if (!NOTHING.equals(old)) {
          windowRows.retract(window, old, out);
        }
        if (!NOTHING.equals(result)) {
          windowRows.emit(window, result, out);
        }
      }
    });
    before.clear();
  }
}
