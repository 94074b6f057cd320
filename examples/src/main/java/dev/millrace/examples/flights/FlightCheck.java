package dev.millrace.examples.flights;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.json.JsonMapper;

/// Computes what [DelayedFlights] must write, by plain sequential Java over the file, and compares
/// every row. It uses nothing of Millrace.
public final class FlightCheck {
  private static final int RANKS = 10;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /// What came out of a comparison.
  ///
  /// @param rows how many rows were compared
  /// @param differences in words; empty if all is well
  public record Result(long rows, List<String> differences) {}

  private record Row(String hour, int rank, String airport, long delays) {}

  private final List<Flight> flights;
  private final List<String> differences = new ArrayList<>();
  private long rows;

  public FlightCheck(List<Flight> flights) {
    this.flights = flights;
  }

  /// Compares both topics with the file.
  public Result compare(String bootstrap) {
    compareAirports(bootstrap);
    compareCarriers(bootstrap);
    return new Result(rows, differences);
  }

  /// Compares what was read from both topics with the file.
  ///
  /// @param airports all rows
  /// @param carriers the last update of each carrier
  public Result compare(List<DelayedAirport> airports, Map<String, CarrierDelay> carriers) {
    Map<Row, Integer> found = new HashMap<>();
    for (DelayedAirport row : airports) {
      found.merge(
          new Row(row.hour().toString(), row.rank(), row.airport(), row.delays()), 1, Integer::sum);
    }
    compareAirports(found);
    carriers()
        .forEach((carrier, delays) -> {
          rows++;
          long[] sums = delays.getLast();
          CarrierDelay expected = new CarrierDelay(delays.size(), sums[0], sums[1]);
          if (!expected.equals(carriers.get(carrier))) {
            differences.add(
                "carrier %s: expected %s, found %s"
                    .formatted(carrier, expected, carriers.get(carrier)));
          }
        });
    return new Result(rows, differences);
  }

  /// The expected rows, by hour and rank.
  private List<Row> airports() {
    TreeMap<Instant, Map<String, Long>> hours = new TreeMap<>();
    for (Flight flight : flights) {
      Instant hour = flight.scheduled().truncatedTo(ChronoUnit.HOURS);
      Integer departure = flight.depDelay();
      if (departure != null && departure > 15) {
        hours.computeIfAbsent(hour, h -> new HashMap<>()).merge(flight.origin(), 1L, Long::sum);
      }
      Integer arrival = flight.arrDelay();
      if (arrival != null && arrival > 15) {
        hours.computeIfAbsent(hour, h -> new HashMap<>()).merge(flight.dest(), 1L, Long::sum);
      }
    }
    List<Row> expected = new ArrayList<>();
    hours.forEach((hour, counts) -> {
      List<Map.Entry<String, Long>> ranking = new ArrayList<>(counts.entrySet());
      ranking.sort(
          Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
              .thenComparing(Map.Entry.comparingByKey()));
      for (int i = 0; i < Math.min(RANKS, ranking.size()); i++) {
        expected.add(
            new Row(hour.toString(), i + 1, ranking.get(i).getKey(), ranking.get(i).getValue()));
      }
    });
    return expected;
  }

  private void compareAirports(String bootstrap) {
    Map<Row, Integer> found = new HashMap<>();
    try (TopicReader reader = new TopicReader(bootstrap, DelayedFlights.DELAYED_AIRPORTS)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        var json = JSON.readTree(next.get().value());
        Row row =
            new Row(
                json.get("hour").asString(),
                json.get("rank").asInt(),
                json.get("airport").asString(),
                json.get("delays").asLong());
        found.merge(row, 1, Integer::sum);
      }
    }
    compareAirports(found);
  }

  /// @param found how often each row was found
  private void compareAirports(Map<Row, Integer> found) {
    for (Row row : airports()) {
      rows++;
      Integer times = found.remove(row);
      if (times == null) {
        differences.add(DelayedFlights.DELAYED_AIRPORTS + " lacks " + row);
      } else if (times != 1) {
        differences.add(DelayedFlights.DELAYED_AIRPORTS + " has " + times + " times " + row);
      }
    }
    found.forEach((row, times) ->
        differences.add(
            DelayedFlights.DELAYED_AIRPORTS
                + " should not have "
                + row
                + ", has it "
                + times
                + " times"));
  }

  /// Every update of a carrier must be there once, from the first known delay to the last, in
  /// order, and be the exact aggregate so far.
  ///
  /// The topic is a compacted one, and compaction would remove all but the last update of a
  /// carrier. It only takes closed segments, and the topic's one segment is never closed: not by
  /// age, which [DelayedFlights] rules out, nor by size, as all updates of a year are far less than
  /// the gigabyte a segment holds unless the broker was told otherwise. So a gap is a loss.
  private void compareCarriers(String bootstrap) {
    Map<String, List<long[]>> expected = carriers();
    Map<String, Integer> reached = new HashMap<>();
    try (TopicReader reader = new TopicReader(bootstrap, DelayedFlights.CARRIER_DELAYS)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        compareUpdate(next.get(), expected, reached);
      }
    }
    expected.forEach((carrier, delays) -> {
      int last = reached.getOrDefault(carrier, 0);
      if (last != delays.size()) {
        differences.add(
            "carrier %s ends after %d of %d flights".formatted(carrier, last, delays.size()));
      }
    });
  }

  private void compareUpdate(
      ConsumerRecord<String, String> update,
      Map<String, List<long[]>> expected,
      Map<String, Integer> reached) {
    rows++;
    String carrier = update.key();
    List<long[]> delays = expected.getOrDefault(carrier, List.of());
    var json = JSON.readTree(update.value());
    int count = json.get("flights").asInt();
    int before = reached.getOrDefault(carrier, 0);
    if (count != before + 1 || count > delays.size()) {
      differences.add(
          "carrier %s has an update after %d flights behind one after %d, of %d"
              .formatted(carrier, count, before, delays.size()));
    }
    if (count <= before || count > delays.size()) {
      return;
    }
    reached.put(carrier, count);
    long[] sums = delays.get(count - 1);
    if (json.get("totalMinutes").asLong() != sums[0]
        || json.get("worstMinutes").asLong() != sums[1]) {
      differences.add(
          "carrier %s after %d flights: expected %d and %d, found %s"
              .formatted(carrier, count, sums[0], sums[1], update.value()));
    }
  }

  /// For each carrier the sum and the maximum of its first n known delays.
  private Map<String, List<long[]>> carriers() {
    Map<String, List<long[]>> carriers = new TreeMap<>();
    for (Flight flight : flights) {
      Integer delay = flight.arrDelay();
      if (delay != null) {
        List<long[]> sums =
            carriers.computeIfAbsent(flight.carrier(), carrier -> new ArrayList<>());
        long[] before = sums.isEmpty() ? new long[] {0, Long.MIN_VALUE} : sums.getLast();
        sums.add(new long[] {before[0] + delay, Math.max(before[1], delay)});
      }
    }
    return carriers;
  }
}
