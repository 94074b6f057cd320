package dev.millrace.testkit.job;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.util.List;

/// Counts the words of lines, through an exchange.
final class Words implements StreamApplication {
  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source("lines").value(Serdes.string()))
        .flatMap(line -> List.of(line.split(" ")))
        .groupBy("by-word", word -> word)
        .count("counts")
        .to(Kafka.sink("word-counts").key(Serdes.string()).value(Serdes.longs()));
  }
}
