package dev.millrace.examples.guide;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.util.List;

/// How often each word is in the lines that are there when it first runs.
final class BoundedWordCount implements StreamApplication {
  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source("lines").value(Serdes.string()).asBounded())
        .flatMap(line -> List.of(line.split(" ")))
        .groupBy("by-word", word -> word)
        .count("counts")
        .to(Kafka.sink("word-counts").compacted().key(Serdes.string()).value(Serdes.longs()));
  }
}
