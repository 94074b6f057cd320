package dev.millrace.internal.engine.input;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.time.ControlRecord;
import dev.millrace.spi.RecordBatch;

/// What upstream tasks say in exchanges.
final class ControlRecords {
  private ControlRecords() {}

  /// Reads a record without key.
  ///
  /// @param planVersion of the job
  static ControlRecord read(RecordBatch batch, int index, int upstreamTasks, long planVersion) {
    if (!batch.hasValue(index)) {
      throw new IllegalStateException(
          "Exchange %s has a record with neither key nor value at offset %d; only this application may"
                  .formatted(batch.split(), batch.offset(index))
              + " write there.");
    }
    ControlRecord control = ControlRecord.read(batch.value(index, new Bytes()));
    if (control.planVersion() != planVersion || control.upstreamTasks() != upstreamTasks) {
      throw new IllegalStateException(
          "Exchange %s holds a control record of plan %x with %d sending tasks at offset %d; expected plan %x with %d."
              .formatted(
                  batch.split(),
                  control.planVersion(),
                  control.upstreamTasks(),
                  batch.offset(index),
                  planVersion,
                  upstreamTasks));
    }
    return control;
  }
}
