package dev.millrace.benchmarks.commit;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Counts records by key, and writes every tenth count of a key.
public final class Counts implements StreamApplication {
  private static final long TOLD_EVERY = 10;

  private final String name;
  private final String topic;

  public Counts(String name, String topic) {
    this.name = name;
    this.topic = topic;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source(topic).key(Serdes.kafkaLong()).value(Serdes.bytes()))
        .groupByKey()
        .count("counts")
        .toStream()
        .filter(count -> count % TOLD_EVERY == 0)
        .to(Kafka.sink(name + "-out").key(Serdes.kafkaLong()).value(Serdes.kafkaLong()));
  }
}
