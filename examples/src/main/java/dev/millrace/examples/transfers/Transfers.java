package dev.millrace.examples.transfers;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Money is moved between accounts. Balances are computed in several ways, and of each the sum over
/// all accounts, which is zero at every moment, as nothing comes in and nothing goes out.
///
/// With [#consistent] every sum that is written is zero. Without it each result is written as soon
/// as it is known, and sums are wrong in between.
///
/// @param consistent whether all that belongs together changes at once, at whole seconds
public record Transfers(boolean consistent) implements StreamApplication {
  /// The topics of the sums, each with the key `all`.
  public static final List<String> SUMS = List.of("of-joined", "of-entries", "of-totals");

  /// How far behind others a transfer may be.
  public static final Duration DISORDER = Duration.ofSeconds(10);

  private static final Serde<Transfer> TRANSFER = Serdes.record(Transfer.class);

  /// One movement of money.
  public record Transfer(String from, String to, long cents, Instant at) {}

  /// What a transfer means for one account.
  record Entry(String account, long cents) {}

  /// A sum and the number of entries it is made of. A transfer has two.
  public record Sum(long cents, long entries) {
    static final Sum ZERO = new Sum(0, 0);

    Sum plus(long moreCents) {
      return new Sum(cents + moreCents, entries + 1);
    }

    Sum plus(Sum other) {
      return new Sum(cents + other.cents, entries + other.entries);
    }

    Sum minus(Sum other) {
      return new Sum(cents - other.cents, entries - other.entries);
    }

    /// What came in less what went out.
    static Sum balance(@Nullable Sum in, @Nullable Sum out) {
      Sum received = in == null ? ZERO : in;
      Sum sent = out == null ? ZERO : out;
      return new Sum(received.cents - sent.cents, received.entries + sent.entries);
    }
  }

  @Override
  public String name() {
    return consistent ? "transfers" : "transfers-at-once";
  }

  /// A topic of the application: `in`, `balances`, or one of [#SUMS].
  ///
  /// @param what without the application's name
  public String topic(String what) {
    return name() + "-" + what;
  }

  private KafkaKeyedSink<String, Sum> results(String of) {
    return Kafka.sink(topic(of)).key(Serdes.string()).value(Serdes.record(Sum.class));
  }

  @Override
  public void describe(Topology topology) {
    if (consistent) {
      topology.consistentEvery(Duration.ofSeconds(1));
    }
    Stream<Transfer> transfers =
        topology.from(
            Kafka.source(topic("in"))
                .value(TRANSFER)
                .eventTime(Transfer::at, DISORDER)
                .asBounded());
    Table<String, Sum> credits =
        transfers
            .groupBy("by-receiver", Transfer::to)
            .aggregate("credits", () -> Sum.ZERO, (sum, transfer) -> sum.plus(transfer.cents()));
    Table<String, Sum> debits =
        transfers
            .groupBy("by-sender", Transfer::from)
            .aggregate("debits", () -> Sum.ZERO, (sum, transfer) -> sum.plus(transfer.cents()));

    // What came in less what went out, account by account.
    Table<String, Sum> balances =
        credits.outerJoin("balances", debits, (in, out) -> Sum.balance(in, out));
    balances.to(results("balances"));
    total(balances, "of-joined").to(results("of-joined"));

    // Both entries of a transfer, each added to its account.
    Table<String, Sum> accounts =
        transfers
            .flatMap(transfer ->
                List.of(
                    new Entry(transfer.to(), transfer.cents()),
                    new Entry(transfer.from(), -transfer.cents())))
            .groupBy("by-account", Entry::account)
            .aggregate("accounts", () -> Sum.ZERO, (sum, entry) -> sum.plus(entry.cents()));
    total(accounts, "of-entries").to(results("of-entries"));

    // All that came in anywhere less all that went out anywhere.
    total(credits, "all-credits")
        .join("all", total(debits, "all-debits"), (in, out) -> Sum.balance(in, out))
        .to(results("of-totals"));
  }

  private static Table<String, Sum> total(Table<String, Sum> balances, String name) {
    return balances
        .groupBy(name, _ -> "all")
        .aggregate(
            name + "-sum",
            Aggregate.invertible(
                () -> Sum.ZERO,
                (sum, each) -> sum.plus(each),
                Sum::plus,
                (sum, each) -> sum.minus(each)));
  }
}
