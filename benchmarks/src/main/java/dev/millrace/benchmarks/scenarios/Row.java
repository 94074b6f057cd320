package dev.millrace.benchmarks.scenarios;

import dev.millrace.benchmarks.report.Sample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one engine did in one scenario.
///
/// @param why it has no runs: it cannot do it, or failed; null if it has
/// @param failed whether it should have had runs
/// @param costs what its processor time goes to, the largest first
/// @param latencies from input to committed output, at one rate each
record Row(
    Contender engine,
    Scenario scenario,
    Workload workload,
    List<Run> runs,
    @Nullable String why,
    boolean failed,
    List<Latency> latencies,
    List<Cost> costs) {

  Row {
    runs = List.copyOf(runs);
    costs = List.copyOf(costs);
    latencies = List.copyOf(latencies);
  }

  /// One run.
  ///
  /// @param rate records a second
  /// @param cpuSeconds of the engine's process, a million records
  /// @param brokerCpuSeconds of Kafka's process over the same stretch, a million records
  /// @param peakBytes most resident memory of the process
  record Run(
      double rate,
      double cpuSeconds,
      double brokerCpuSeconds,
      long peakBytes,
      String version,
      String settings) {}

  /// What some of the processor time goes to.
  ///
  /// @param what a method, or what the JVM does by itself
  /// @param share of all that the process took
  /// @param cpuSeconds a million records
  record Cost(String what, double share, double cpuSeconds) {}

  /// The time from when a record was due to be sent to when it was read as committed, at a rate.
  ///
  /// @param perSecond records that were sent
  /// @param ofMaximum whether the rate follows from the engine's own
  record Latency(
      double perSecond,
      boolean ofMaximum,
      double p50Millis,
      double p99Millis,
      double p999Millis,
      double mostMillis) {}

  static Row of(Contender engine, Scenario scenario, Workload workload, List<Run> runs) {
    return new Row(engine, scenario, workload, runs, null, false, List.of(), List.of());
  }

  static Row cannot(Contender engine, Scenario scenario, Workload workload, String why) {
    return new Row(engine, scenario, workload, List.of(), why, false, List.of(), List.of());
  }

  static Row failed(Contender engine, Scenario scenario, Workload workload, String why) {
    return new Row(engine, scenario, workload, List.of(), why, true, List.of(), List.of());
  }

  Row withLatencies(List<Latency> newLatencies) {
    return new Row(engine, scenario, workload, runs, why, failed, newLatencies, costs);
  }

  Row withCosts(List<Cost> newCosts) {
    return new Row(engine, scenario, workload, runs, why, failed, latencies, newCosts);
  }

  /// The median of its runs' records a second.
  double rate() {
    return Sample.of(runs, Run::rate).median();
  }

  /// The median of its runs' CPU seconds a million records.
  double cpuSeconds() {
    return Sample.of(runs, Run::cpuSeconds).median();
  }

  /// The median of its runs' CPU seconds of the broker a million records.
  double brokerCpuSeconds() {
    return Sample.of(runs, Run::brokerCpuSeconds).median();
  }

  /// The most of its runs.
  long peakBytes() {
    return runs.stream().mapToLong(Run::peakBytes).max().orElse(0);
  }

  /// The latency at half of the engine's own rate; null if it was not measured.
  @Nullable Latency atHalf() {
    return latencies.stream().filter(Latency::ofMaximum).findFirst().orElse(null);
  }

  /// What is said of it in a message.
  String name() {
    return "%s, %s, %,d keys".formatted(engine.id(), scenario.id(), workload.keys());
  }
}
