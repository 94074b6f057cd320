package dev.millrace.examples.crash;

import static dev.millrace.api.Windows.tumbling;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;

/// Counts numbers in one window, which closes at the end of the input with a result for each.
public final class ManyKeys implements StreamApplication {
  static final String NUMBERS = "numbers";
  static final String COUNTS = "counts";
  static final int PARTITIONS = 2;

  @Override
  public void describe(Topology topology) {
    topology
        .from(
            Kafka.source(NUMBERS)
                .partitions(PARTITIONS)
                .key(Serdes.string())
                .value(Serdes.kafkaLong())
                .eventTime(Instant::ofEpochMilli)
                .startAtEarliest()
                .asBounded())
        .groupByKey()
        .window(tumbling(Duration.ofDays(1)).allowedLateness(Duration.ZERO))
        .count("counts")
        .results(result -> result.value())
        .as(Serdes.kafkaLong())
        .to(
            Kafka.sink(COUNTS)
                .partitions(PARTITIONS)
                .setting("retention.ms", "-1")
                .key(Serdes.string())
                .value(Serdes.kafkaLong()));
  }
}
