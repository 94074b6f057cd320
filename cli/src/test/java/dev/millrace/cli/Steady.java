package dev.millrace.cli;

import static dev.millrace.json.Json.json;

import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Writes how often each word has come, from `NAME-in` to `NAME-out`. Its name is the system
/// property `steady.name`.
public final class Steady implements StreamApplication {
  static final String NAME = "steady.name";

  @Override
  public String name() {
    return System.getProperty(NAME, "steady");
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source(name() + "-in").value(Serdes.string()).startAtEarliest())
        .groupBy("words", word -> word)
        .aggregate("counts", () -> 0L, (count, _) -> count + 1)
        .to(Kafka.sink(name() + "-out").partitions(1).key(Serdes.string()).value(json(Long.class)));
  }

  public static void main(String[] args) {
    Millrace.run(new Steady(), args);
  }
}
