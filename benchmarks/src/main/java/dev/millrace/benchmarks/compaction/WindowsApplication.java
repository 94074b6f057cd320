package dev.millrace.benchmarks.compaction;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windowed;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.scenarios.Event;
import java.time.Duration;
import java.time.Instant;

/// Counts tuples by key and second.
record WindowsApplication(String name, String input, String output, Keeping keeping)
    implements StreamApplication {

  @Override
  public void describe(Topology topology) {
    Windowed<Long, byte[]> windows =
        topology
            .from(
                Kafka.source(input)
                    .key(Serdes.kafkaLong())
                    .value(Serdes.bytes())
                    .eventTime(tuple -> Instant.ofEpochMilli(Event.toLong(tuple, 0))))
            .groupByKey()
            .window(
                Windows.tumbling(Duration.ofMillis(Tuples.WINDOW_MILLIS))
                    .allowedLateness(Duration.ZERO));
    WindowedTable<Long, Long> counts =
        switch (keeping) {
          case FOLDING -> windows.count("windows");
          case RETAINING ->
              windows.apply("windows", (_, tuples) -> (long) tuples.size()).as(Serdes.longs());
        };
    counts
        .results(
            each -> new WindowCount(each.window().start().toEpochMilli(), each.value()).toBytes())
        .as(Serdes.bytes())
        .to(Kafka.sink(output).key(Serdes.kafkaLong()).value(Serdes.bytes()));
  }
}
