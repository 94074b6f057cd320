package dev.millrace.internal.engine.input;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.ControlRecord;
import dev.millrace.spi.RecordBatch;

/// What upstream tasks say in exchanges.
final class ControlRecords {
  private ControlRecords() {}

  /// Reads a record without key.
  ///
  /// What was sent before plans said their exchanges' formats has the version of its plan there.
  ///
  /// @param plan of the job
  static ControlRecord read(RecordBatch batch, int index, int upstreamTasks, Plan plan) {
    if (!batch.hasValue(index)) {
      throw new IllegalStateException(
          "Exchange %s has a record with neither key nor value at offset %d; only this application may"
                  .formatted(batch.split(), batch.offset(index))
              + " write there.");
    }
    ControlRecord control = ControlRecord.read(batch.value(index, new Bytes()));
    long format = plan.exchange(batch.split().stream()).format();
    boolean known = control.format() == format || plan.follows(control.format());
    if (!known || control.upstreamTasks() != upstreamTasks) {
      throw new IllegalStateException(
          "Exchange %s holds a control record of format %x with %d sending tasks at offset %d; expected format %x with %d."
              .formatted(
                  batch.split(),
                  control.format(),
                  control.upstreamTasks(),
                  batch.offset(index),
                  format,
                  upstreamTasks));
    }
    return control;
  }
}
