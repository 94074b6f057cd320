package dev.millrace.examples.guide;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofDays;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;

/// What the guide to dead letters shows.
///
/// @param knowsEuros whether it is mended
public record DeadLettersGuide(boolean knowsEuros) implements StreamApplication {
  /// A customer paid.
  public record Payment(String customer, String amount, Instant at) {}

  @Override
  public String name() {
    return "payments";
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(
            Kafka.source("payments")
                .key(Serdes.string())
                .value(json(Payment.class))
                .eventTime(Payment::at))
        .mapValues(payment -> cents(payment.amount()))
        .groupByKey()
        .window(tumbling(ofDays(1)))
        .reduce("paid-a-day", Long::sum)
        .results(day -> "%d.%02d".formatted(day.value() / 100, day.value() % 100))
        .to(Kafka.sink("paid").key(Serdes.string()).value(Serdes.string()));
  }

  private long cents(String amount) {
    return Long.parseLong(knowsEuros ? amount.replace("EUR", "").strip() : amount);
  }
}
