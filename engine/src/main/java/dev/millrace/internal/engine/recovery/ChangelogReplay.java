package dev.millrace.internal.engine.recovery;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import org.jspecify.annotations.Nullable;

/// Reads the changelog of a task back into its state.
final class ChangelogReplay {
  private ChangelogReplay() {}

  /// Takes over the records of a batch that lie before `end`.
  ///
  /// @return the last commit record among them; null if there is none
  static @Nullable CommitRecord into(
      TaskState state, RecordBatch batch, Split changelog, long end) {
    CommitRecord last = null;
    Bytes key = new Bytes();
    Bytes value = new Bytes();
    for (int i = 0; i < batch.size() && batch.offset(i) < end; i++) {
      if (!batch.hasKey(i)) {
        throw new IllegalStateException(
            "The changelog %s has a record without a key at offset %d; only this application may write there."
                .formatted(changelog, batch.offset(i)));
      }
      batch.key(i, key);
      if (key.equals(CommitRecord.KEY)) {
        last = CommitRecord.read(batch, i);
      } else {
        state.restoring().restore(key, batch.hasValue(i) ? batch.value(i, value) : null);
      }
    }
    return last;
  }
}
