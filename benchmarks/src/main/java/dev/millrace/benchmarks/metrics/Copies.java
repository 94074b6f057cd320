package dev.millrace.benchmarks.metrics;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Copies records.
record Copies(String name, String topic) implements StreamApplication {
  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source(topic).key(Serdes.bytes()).value(Serdes.bytes()))
        .to(Kafka.sink(name + "-out").key(Serdes.bytes()).value(Serdes.bytes()));
  }
}
