package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.RowSink;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The keys that rows of a batch change, with the results that they had before: when the batch is
/// done, each whose result is another is shown once.
public final class Changes {
  private final Results befores;
  private final Results results;
  private final Map<Bytes, Change> changes = new LinkedHashMap<>();

  /// Tells results as they are now.
  @FunctionalInterface
  public interface Results {
    /// @return null if there is none; otherwise an object that stays as it is
    @Nullable Object of(Bytes key);
  }

  /// Is shown a change: one of the results may be null, but not both.
  @FunctionalInterface
  public interface Visitor {
    /// @param timestamp the latest event time of the rows that changed it
    void changed(Bytes key, @Nullable Object before, @Nullable Object now, long timestamp);
  }

  public Changes(Results results) {
    this(results, results);
  }

  /// @param befores tells what was emitted: no result where that was passed over
  public Changes(Results befores, Results results) {
    this.befores = befores;
    this.results = results;
  }

  private static final class Change {
    private final @Nullable Object before;
    private long timestamp = Long.MIN_VALUE;

    Change(@Nullable Object before) {
      this.before = before;
    }
  }

  /// A row is about to change a key's result.
  public void before(Bytes key, long timestamp) {
    Change change = changes.get(key);
    if (change == null) {
      Bytes kept = key.copy();
      change = new Change(befores.of(kept));
      changes.put(kept, change);
    }
    change.timestamp = Math.max(change.timestamp, timestamp);
  }

  /// All rows of the batch are processed.
  public void show(Visitor visitor) {
    if (changes.isEmpty()) {
      return;
    }
    changes.forEach((key, change) -> {
      Object now = results.of(key);
      if (!Objects.equals(change.before, now)) {
        visitor.changed(key, change.before, now, change.timestamp);
      }
    });
    changes.clear();
  }

  /// Takes the results before back and emits those of now, under their keys.
  public void emit(RowSink out) {
    show((key, before, now, timestamp) -> {
      if (before != null) {
        out.retract(key, before, timestamp);
      }
      if (now != null) {
        out.emit(key, now, timestamp);
      }
    });
  }
}
