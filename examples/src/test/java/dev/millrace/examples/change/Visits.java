package dev.millrace.examples.change;

import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/// An application as [Version#FIRST] is one, and the same with a component of each record renamed
/// and widened. Its source is compiled against the present Millrace and against an older one, so it
/// uses nothing but what both have.
///
///     Visits first|changed [<setting>...]
///
/// It ends with its standard input.
public final class Visits implements StreamApplication {
  private static final int ORPHANED = 99;

  private final boolean isChanged;

  private Visits(boolean isChanged) {
    this.isChanged = isChanged;
  }

  private interface OfUser {
    String user();
  }

  private static final Mapper<OfUser, String> BY_USER = visit -> visit.user();

  private record Visit(String user, long number, int weight) implements OfUser {
    static Visit of(String line) {
      String[] parts = line.split(" ");
      return new Visit(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
    }
  }

  private record Account(long last, int n, int sum) {}

  private record ChangedVisit(String user, long number, @Was("weight") long amount)
      implements OfUser {
    static ChangedVisit of(String line) {
      String[] parts = line.split(" ");
      return new ChangedVisit(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
  }

  private record ChangedAccount(long last, @Was("n") long visits, @Was("sum") long total) {}

  public static void main(String[] args) {
    Thread.ofPlatform().daemon().start(Visits::endWithParent);
    Millrace.run(new Visits(args[0].equals("changed")), Arrays.copyOfRange(args, 1, args.length));
  }

  /// Standard input ends with the process that holds its other end.
  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is to be heard.
      }
    } catch (IOException e) {
      System.err.println("Standard input cannot be read: " + e.getMessage());
    }
    Runtime.getRuntime().halt(ORPHANED);
  }

  @Override
  public void describe(Topology topology) {
    var lines =
        topology.from(
            Kafka.source("visits-in")
                .value(Serdes.string())
                .eventTime(line -> Instant.ofEpochMilli(Long.parseLong(line.split(" ")[3])))
                .startAtEarliest());
    if (isChanged) {
      lines
          .map(line -> ChangedVisit.of(line))
          .groupBy("by-user", BY_USER)
          .aggregate(
              "accounts",
              () -> new ChangedAccount(0, 0, 0),
              (account, visit) ->
                  new ChangedAccount(
                      visit.number, account.visits + 1, account.total + visit.amount))
          .toStream()
          .mapValues(account -> "%d %d %d".formatted(account.last, account.visits, account.total))
          .to(sink("visits-accounts"));
    } else {
      lines
          .map(line -> Visit.of(line))
          .groupBy("by-user", BY_USER)
          .aggregate(
              "accounts",
              () -> new Account(0, 0, 0),
              (account, visit) ->
                  new Account(visit.number, account.n + 1, account.sum + visit.weight))
          .toStream()
          .mapValues(account -> "%d %d %d".formatted(account.last, account.n, account.sum))
          .to(sink("visits-accounts"));
    }
    lines
        .groupBy(
            "by-floor", line -> "floor-" + Integer.parseInt(line.split(" ")[0].substring(1)) % 3)
        .window(Windows.tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ZERO))
        .count("busy")
        .results(result -> result.window().start().getEpochSecond() + "=" + result.value())
        .to(sink("visits-windows"));
  }

  private static KafkaKeyedSink<String, String> sink(String topic) {
    return Kafka.sink(topic).partitions(2).key(Serdes.string()).value(Serdes.string());
  }
}
