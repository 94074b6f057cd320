package dev.millrace.examples.flights;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofHours;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Which airports had the most delays in each hour, and how late each carrier lands.
///
/// A flight that left late counts for the airport it left from, one that landed late for the
/// airport it landed at; one that did both counts twice. Cancelled and diverted flights have no
/// delays: they count nowhere.
public final class DelayedFlights implements StreamApplication {
  public static final String FLIGHTS = "flights";
  public static final String DELAYED_AIRPORTS = "delayed-airports";
  public static final String CARRIER_DELAYS = "carrier-delays";

  private final boolean live;

  /// Creates one that ends with the flights that there are when it starts.
  public DelayedFlights() {
    this(false);
  }

  private DelayedFlights(boolean live) {
    this.live = live;
  }

  /// Returns one that goes on as long as flights come. The ranking of an hour is written once
  /// flights of later hours have come to all partitions.
  public static DelayedFlights live() {
    return new DelayedFlights(true);
  }

  @Override
  public void describe(Topology topology) {
    var all =
        Kafka.source(FLIGHTS)
            .partitions(4)
            .setting("retention.ms", "-1")
            .key(Serdes.string())
            .value(json(Flight.class))
            .eventTime(Flight::scheduled)
            .startAtEarliest();
    var flights = topology.from(live ? all : all.asBounded());

    var departures = flights.filter(Flight::leftLate).map(Flight::origin);
    var arrivals = flights.filter(Flight::landedLate).map(Flight::dest);
    departures
        .merge(arrivals)
        .groupBy("by-airport", airport -> airport)
        .window(tumbling(ofHours(1)))
        .count("delays")
        .topK(
            "worst", 10, r -> new DelayedAirport(r.window().start(), r.rank(), r.key(), r.value()))
        .to(
            Kafka.sink(DELAYED_AIRPORTS)
                .partitions(1)
                .setting("retention.ms", "-1")
                .value(json(DelayedAirport.class)));

    flights
        .filter(Flight::landed)
        .groupByKey()
        .aggregate("carrier-delays", () -> CarrierDelay.NONE, (delay, flight) -> delay.plus(flight))
        .to(
            Kafka.sink(CARRIER_DELAYS)
                .partitions(4)
                .compacted()
                // A segment is closed, and so compacted, by the age of its events; a year passes in
                // seconds here.
                .setting("segment.ms", Long.toString(Long.MAX_VALUE))
                .key(Serdes.string())
                .value(json(CarrierDelay.class)));
  }
}
