package dev.millrace.internal.beam.portable.stage;

import java.io.IOException;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateResponse;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.util.construction.Timer;
import org.apache.beam.sdk.values.WindowedValue;

/// Takes what a harness gives while it has a bundle. Called by the thread of the task.
interface BundleReceiver {
  /// @param collection the id of the collection to which the element belongs
  void element(String collection, WindowedValue<?> element);

  /// The harness sets or deletes a timer.
  void timer(Timer<?> timer, TimerData data);

  /// Returns the answer to what it asks.
  StateResponse.Builder state(StateRequest request) throws IOException;
}
