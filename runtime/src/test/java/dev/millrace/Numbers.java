package dev.millrace;

import static dev.millrace.json.Json.json;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Reads numbers as text and writes their running sums, from `NAME-in` to `NAME-out`; what is no
/// number fails.
record Numbers(String name, boolean bounded, int partitions, boolean fromStart)
    implements StreamApplication {

  static Numbers unbounded(String name) {
    return new Numbers(name, false, 1, true);
  }

  static Numbers bounded(String name) {
    return new Numbers(name, true, 1, true);
  }

  String in() {
    return name + "-in";
  }

  String out() {
    return name + "-out";
  }

  @Override
  public void describe(Topology topology) {
    Kafka.UntypedSource topic = Kafka.source(in());
    KafkaSource<String> source =
        (partitions > 0 ? topic.partitions(partitions) : topic).value(Serdes.string());
    source = fromStart ? source.startAtEarliest() : source;
    topology
        .from(bounded ? source.asBounded() : source)
        .map(Long::valueOf)
        .groupBy("all", number -> "sum")
        .aggregate("sums", () -> 0L, (sum, number) -> sum + number)
        .to(Kafka.sink(out()).partitions(1).key(Serdes.string()).value(json(Long.class)));
  }
}
