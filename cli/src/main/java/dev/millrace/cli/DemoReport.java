package dev.millrace.cli;

import dev.millrace.examples.flights.CarrierDelay;
import dev.millrace.examples.flights.DelayedAirport;
import dev.millrace.examples.flights.DelayedFlights;
import dev.millrace.examples.flights.FlightResults;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Shows what the flights' job has written.
final class DemoReport {
  private static final int HOURS = 3;
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("d MMM yyyy HH:mm", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  private final PrintWriter out;

  DemoReport(PrintWriter out) {
    this.out = out;
  }

  void show(FlightResults results) {
    airports(results.airports());
    carriers(results.carriers());
  }

  private void airports(List<DelayedAirport> rows) {
    Map<Instant, List<DelayedAirport>> hours =
        rows.stream()
            .collect(
                Collectors.groupingBy(DelayedAirport::hour, TreeMap::new, Collectors.toList()));
    List<List<DelayedAirport>> worst =
        hours.values().stream()
            .sorted(Comparator.comparingLong(DemoReport::delays).reversed())
            .limit(HOURS)
            .toList();
    print(
        "The airports with the most delays: topic %s, %,d rows for %,d hours. The %d worst hours:",
        DelayedFlights.DELAYED_AIRPORTS, rows.size(), hours.size(), worst.size());
    out.println();
    print("  %s", line(worst, ranking -> HOUR.format(ranking.getFirst().hour())));
    int ranks = worst.stream().mapToInt(List::size).max().orElse(0);
    for (int rank = 0; rank < ranks; rank++) {
      int row = rank;
      print("  %s", line(worst, ranking -> row < ranking.size() ? text(ranking.get(row)) : ""));
    }
    out.println();
  }

  private static long delays(List<DelayedAirport> ranking) {
    return ranking.stream().mapToLong(DelayedAirport::delays).sum();
  }

  private static String text(DelayedAirport row) {
    return String.format(Locale.ROOT, "%2d. %s %4d", row.rank(), row.airport(), row.delays());
  }

  private static String line(
      List<List<DelayedAirport>> rankings, Function<List<DelayedAirport>, String> cell) {
    return rankings.stream()
        .map(cell)
        .map(text -> String.format(Locale.ROOT, "%-22s", text))
        .collect(Collectors.joining())
        .stripTrailing();
  }

  private void carriers(Map<String, CarrierDelay> carriers) {
    print(
        "How late the carriers landed: topic %s, the last update of each:",
        DelayedFlights.CARRIER_DELAYS);
    out.println();
    print("  carrier  flights  mean delay  worst delay");
    carriers.entrySet().stream()
        .sorted(
            Map.Entry.comparingByValue(
                Comparator.comparingDouble(CarrierDelay::meanMinutes).reversed()))
        .forEach(entry ->
            print(
                "  %-7s %8d %7.1f min %8d min",
                entry.getKey(),
                entry.getValue().flights(),
                entry.getValue().meanMinutes(),
                entry.getValue().worstMinutes()));
    out.println();
  }

  /// Prints how to read the topics with other tools.
  void whereToLook(Path directory) {
    print("The topics are kept in %s. To read them, start that Kafka:", directory);
    out.println();
    print("  millrace kafka --data %s --port 9092", directory);
    out.println();
    print("and, while it runs, use any of Kafka's tools, such as");
    out.println();
    print(
        "  kafka-console-consumer.sh --bootstrap-server 127.0.0.1:9092 --topic %s --from-beginning"
            + " --isolation-level read_committed",
        DelayedFlights.DELAYED_AIRPORTS);
    out.println();
    print("or, without Kafka's tools,");
    out.println();
    print(
        "  millrace topics --bootstrap 127.0.0.1:9092 --tail 10 %s",
        DelayedFlights.DELAYED_AIRPORTS);
  }

  private void print(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments));
  }
}
