package dev.millrace.cli;

import static dev.millrace.json.Json.json;

import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// Reads numbers as text and writes their running sum, from `NAME-in` to `NAME-out`; what is no
/// number fails. Its name is the system property `numbers.name`.
public final class Numbers implements StreamApplication {
  private static final Logger LOG = LoggerFactory.getLogger(Numbers.class);

  static final String NAME = "numbers.name";

  @Override
  public String name() {
    return System.getProperty(NAME, "numbers");
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source(name() + "-in").partitions(1).value(Serdes.string()).startAtEarliest())
        .map(Long::valueOf)
        .peek(number -> LOG.info("Saw {} of partition {}.", number, MDC.get("partition")))
        .groupBy("all", number -> "sum")
        .aggregate("sums", () -> 0L, (sum, number) -> sum + number)
        .to(Kafka.sink(name() + "-out").partitions(1).key(Serdes.string()).value(json(Long.class)));
  }

  public static void main(String[] args) {
    Millrace.run(new Numbers(), args);
  }
}
