package dev.millrace.benchmarks.micro;

import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.benchmarks.nexmark.model.Event;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// What is the same for every engine that answers a query of Nexmark: its events are made.
@State(Scope.Thread)
public class NexmarkBenchmark {
  static final int EVENTS = 1_000;

  private final Generator generator = new Generator(Settings.of(1, Long.MAX_VALUE));
  private final Event[] events = new Event[EVENTS];
  private long next;

  /// The next events of one seed.
  ///
  /// @return them; the same array each time
  @Benchmark
  @What("make an event of Nexmark")
  @OperationsPerInvocation(EVENTS)
  public Event[] make() {
    for (int i = 0; i < EVENTS; i++) {
      events[i] = generator.event(next++);
    }
    return events;
  }
}
