package dev.millrace.testkit.job;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;

/// Counts the visits of each page by the minute, and corrects what came late.
///
/// @param lateness for how long
record Visits(Duration lateness) implements StreamApplication {
  record Visit(String page, Instant at) {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    static Visit of(String page, int minute, int second) {
      return new Visit(page, NOON.plusSeconds(60L * minute + second));
    }
  }

  @Override
  public String name() {
    return "visits-by-page";
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source("visits").value(Serdes.record(Visit.class)).eventTime(Visit::at))
        .groupBy("by-page", Visit::page)
        .window(Windows.tumbling(Duration.ofMinutes(1)).allowedLateness(lateness))
        .count("per-minute")
        .results(result -> result.value())
        .to(
            Kafka.sink("visits-per-minute")
                .key(Serdes.string())
                .value(Serdes.longs())
                .withRetractions());
  }
}
