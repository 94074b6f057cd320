package dev.millrace.internal.engine.loop;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.operators.rows.Fired;
import dev.millrace.internal.engine.output.CommitParts;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.ShareOfState;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.Split;

/// The first commit of a task that is split off from another one, which writes it with its own.
///
/// @param changelog of the new task
/// @param record its first commit record
record Birth(Split changelog, CommitRecord record) {
  /// Writes what is not of one key, as it is now, and the commit record behind it.
  ///
  /// @param state of the task that it is split off from
  void write(Plan.Stage stage, TaskState state, CommitParts parts) {
    for (Plan.Store store : stage.stores()) {
      if (ShareOfState.isOfEachPart(store)) {
        for (Bytes key : Fired.KEYS) {
          Bytes value = state.<Bytes, Bytes>store(store.number()).get(key);
          if (value != null) {
            parts.change(changelog, withNumber(store.number(), key), value);
          }
        }
      }
    }
    parts.change(changelog, CommitRecord.KEY, Bytes.of(record.toBytes()));
  }

  private static Bytes withNumber(int store, Bytes key) {
    return Bytes.of(new byte[] {(byte) (store >> 8), (byte) store, key.get(0)});
  }
}
