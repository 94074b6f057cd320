package dev.millrace.benchmarks.containers;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.change.peer.Padding;
import dev.millrace.benchmarks.change.peer.Row;
import java.lang.invoke.MethodHandles;

/// The application whose containers come and go: it counts events by key and adds them up, keeps
/// some 150 bytes a key, and writes a row for each numbered event.
final class CountedEvents implements StreamApplication {
  static final String NAME = "counted";
  static final String INPUT = "counted-in";
  static final String OUTPUT = "counted-out";

  /// What it keeps for a key.
  ///
  /// @param last the number of the last event
  /// @param padding empty until the key's first event
  record Total(long count, long sum, long last, byte[] padding) {
    static final Total NONE = new Total(0, 0, Event.UNNUMBERED, new byte[0]);

    Total plus(Event event) {
      return new Total(
          count + 1,
          sum + event.amount(),
          event.number(),
          padding.length == 0 ? Padding.of(event.key()) : padding);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source(INPUT).key(Serdes.kafkaLong()).value(Serdes.bytes()).startAtEarliest())
        .groupByKey()
        .aggregate("totals", () -> Total.NONE, (total, event) -> total.plus(Event.of(event)))
        .as(Serdes.record(Total.class, MethodHandles.lookup()))
        .toStream()
        .filter(total -> total.last != Event.UNNUMBERED)
        .mapValues(total -> Row.ofTotals(total.last, total.count, total.sum, total.padding).value())
        .to(Kafka.sink(OUTPUT).key(Serdes.kafkaLong()).value(Serdes.bytes()));
  }
}
