package dev.millrace.internal.beam.operators;

import org.apache.beam.runners.core.StateInternals;
import org.apache.beam.runners.core.StepContext;
import org.apache.beam.runners.core.TimerInternals;
import org.apache.beam.sdk.transforms.DoFn.BundleFinalizer;

/// What a DoFn without state and timers can reach.
record WithoutState(BundleFinalizer bundleFinalizer) implements StepContext {
  @Override
  public StateInternals stateInternals() {
    throw new UnsupportedOperationException("The DoFn has no state.");
  }

  @Override
  public TimerInternals timerInternals() {
    throw new UnsupportedOperationException("The DoFn has no timers.");
  }
}
