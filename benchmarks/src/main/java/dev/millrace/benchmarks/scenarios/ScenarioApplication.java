package dev.millrace.benchmarks.scenarios;

import dev.millrace.api.Grouped;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;

/// The scenarios as an application of Millrace.
final class ScenarioApplication implements StreamApplication {
  /// Stands in a count whose last record asked.
  private static final long ASKED = Long.MIN_VALUE;

  private final Assignment assignment;

  ScenarioApplication(Assignment assignment) {
    this.assignment = assignment;
  }

  @Override
  public String name() {
    return assignment.job();
  }

  @Override
  public void describe(Topology topology) {
    KafkaKeyedSource<Bytes, Bytes> events =
        Kafka.source(assignment.input()).key(Serdes.view()).value(Serdes.view());
    switch (assignment.scenario()) {
      case PASS ->
          topology
              .from(Kafka.source(assignment.input()).bytes())
              .to(Kafka.sink(assignment.output()).bytes());
      case COUNT_MEMORY, COUNT_DISK, COUNT_DISK_CHANGELOG ->
          count(topology.from(events).groupByKey(), Serdes.view());
      case EXCHANGE ->
          count(
              topology
                  .from(events)
                  .groupBy("other", event -> Event.other(event.array(), event.offset()))
                  .keyAs(Serdes.kafkaLong()),
              Serdes.kafkaLong());
    }
  }

  private <K> void count(Grouped<K, Bytes> events, Serde<K> key) {
    events
        .aggregate("counts", () -> 0L, ScenarioApplication::count)
        .as(Serdes.longs())
        .toStream()
        .filter(count -> count < 0)
        .mapValues(count -> count & ~ASKED)
        .as(Serdes.kafkaLong())
        .to(Kafka.sink(assignment.output()).key(key).value(Serdes.kafkaLong()));
  }

  private static long count(long count, Bytes event) {
    return Event.asks(event.array(), event.offset()) ? count | ASKED : (count & ~ASKED) + 1;
  }
}
