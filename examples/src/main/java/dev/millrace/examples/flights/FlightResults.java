package dev.millrace.examples.flights;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads what [DelayedFlights] has written.
public final class FlightResults {
  private final String bootstrap;

  public FlightResults(String bootstrap) {
    this.bootstrap = bootstrap;
  }

  /// The worst airports of every hour, in order of hour and rank.
  public List<DelayedAirport> airports() {
    Serde<DelayedAirport> serde = Json.json(DelayedAirport.class);
    List<DelayedAirport> rows = new ArrayList<>();
    try (TopicReader reader = new TopicReader(bootstrap, DelayedFlights.DELAYED_AIRPORTS)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        rows.add(read(serde, next.get().value()));
      }
    }
    return rows;
  }

  /// The last update of each carrier.
  public SortedMap<String, CarrierDelay> carriers() {
    Serde<CarrierDelay> serde = Json.json(CarrierDelay.class);
    SortedMap<String, CarrierDelay> carriers = new TreeMap<>();
    try (TopicReader reader = new TopicReader(bootstrap, DelayedFlights.CARRIER_DELAYS)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        carriers.put(next.get().key(), read(serde, next.get().value()));
      }
    }
    return carriers;
  }

  private static <T> T read(Serde<T> serde, String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return serde.read(Bytes.of(bytes));
  }
}
