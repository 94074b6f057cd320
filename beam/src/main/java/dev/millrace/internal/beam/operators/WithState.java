package dev.millrace.internal.beam.operators;

import org.apache.beam.runners.core.StateInternals;
import org.apache.beam.runners.core.StepContext;
import org.apache.beam.runners.core.TimerInternals;
import org.apache.beam.sdk.transforms.DoFn.BundleFinalizer;

/// What a DoFn with state and timers can reach.
record WithState(KeyedWork work, BundleFinalizer bundleFinalizer) implements StepContext {
  @Override
  public StateInternals stateInternals() {
    return work.state();
  }

  @Override
  public TimerInternals timerInternals() {
    return work.timers();
  }
}
