package dev.millrace.beam;

import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.joda.time.Duration;

/// The result of a pipeline that runs no more.
record EndedResult(State state, MetricResults counted) implements PipelineResult {
  @Override
  public State getState() {
    return state;
  }

  @Override
  public State cancel() {
    return state;
  }

  @Override
  public State waitUntilFinish(Duration atMost) {
    return state;
  }

  @Override
  public State waitUntilFinish() {
    return state;
  }

  @Override
  public MetricResults metrics() {
    return counted;
  }
}
