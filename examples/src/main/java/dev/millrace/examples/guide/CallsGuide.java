package dev.millrace.examples.guide;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Call;
import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// What the guide to calls shows.
public final class CallsGuide implements StreamApplication {
  /// Somebody pays.
  public record Payment(String from, String to, long cents, Instant at) {}

  /// A payment, and how likely it is that it is no honest one.
  public record Scored(Payment payment, double risk) {}

  /// Another system, by a client that the application has opened.
  public interface Bank {
    /// Blocks until the answer is there.
    double risk(Payment payment) throws IOException;

    /// Returns at once.
    CompletableFuture<Double> riskSoon(Payment payment);

    /// Of several, in their order.
    List<Double> risks(List<Payment> payments) throws IOException;

    /// Where an account is held; null if nobody knows.
    String country(String account) throws IOException;

    /// Moves the money, and gives a receipt.
    String transfer(Payment payment) throws IOException;
  }

  private final Bank bank;

  public CallsGuide(Bank bank) {
    this.bank = bank;
  }

  @Override
  public void describe(Topology topology) {
    var payments =
        topology.from(
            Kafka.source("payments")
                .key(Serdes.string())
                .value(json(Payment.class))
                .eventTime(Payment::at, ofSeconds(5)));

    var scored =
        payments
            .call(
                "scored",
                Call.<Payment, Scored>blocking(payment -> new Scored(payment, bank.risk(payment))))
            .as(json(Scored.class));
    scored.to(Kafka.sink("scored").key(Serdes.string()).value(json(Scored.class)));

    scored
        .filter(each -> each.risk() > 0.5)
        .groupByKey()
        .window(tumbling(ofMinutes(1)))
        .count("risky-payments")
        .results(r -> r.value())
        .to(Kafka.sink("risky-payments").key(Serdes.string()).value(Serdes.longs()));

    otherWays(payments);
    within(payments);
  }

  private void otherWays(KeyedStream<String, Payment> payments) {
    payments
        .call("risks", Call.<Payment, Double>future(bank::riskSoon))
        .as(Serdes.doubles())
        .to(Kafka.sink("risks").key(Serdes.string()).value(Serdes.doubles()));

    payments
        .call("risks-in-batches", Call.<Payment, Double>batched(50, bank::risks))
        .as(Serdes.doubles())
        .to(Kafka.sink("risks-in-batches").key(Serdes.string()).value(Serdes.doubles()));

    payments
        .call("receipts", Call.<Payment, String>blocking(bank::transfer).oneByOne())
        .as(Serdes.string())
        .to(Kafka.sink("receipts").key(Serdes.string()).value(Serdes.string()));
  }

  private void within(KeyedStream<String, Payment> payments) {
    payments
        .call(
            "careful-risks",
            Call.<Payment, Double>blocking(bank::risk)
                .inFlight(20)
                .perSecond(100)
                .timeout(ofSeconds(2))
                .retries(5, ofMillis(200))
                .breaker(10, ofSeconds(30))
                .otherwise((payment, failure) -> payment.cents() > 100_000 ? 1.0 : 0.0))
        .as(Serdes.doubles())
        .to(Kafka.sink("careful-risks").key(Serdes.string()).value(Serdes.doubles()));

    payments
        .mapValues(Payment::to)
        .call(
            "countries", Call.<String, String>blocking(bank::country).cache(10_000, ofMinutes(10)))
        .as(Serdes.string())
        .to(Kafka.sink("countries").key(Serdes.string()).value(Serdes.string()));
  }
}
