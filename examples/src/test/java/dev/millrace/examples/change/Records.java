package dev.millrace.examples.change;

import dev.millrace.api.Topology;
import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import org.jspecify.annotations.Nullable;

/// What the versions of the application keep and send: a visit goes through exchanges, and an
/// account is kept of each user.
final class Records {
  private Records() {}

  /// What all versions of a visit have.
  interface AnyVisit {
    String user();

    long number();

    long amount();
  }

  /// How accounts are kept.
  ///
  /// @param text what is written of one: `LAST N SUM`, followed by `SINCE PAGE` if it has them
  /// @param serde null for the one that follows from the type
  record Accounts<V, P>(
      Initializer<P> empty, Aggregator<P, V> aggregator, Mapper<P, String> text, Serde<P> serde) {}

  /// What is kept of a room.
  record Room(long last, long n, long sum) {
    static Room with(Room room, AnyVisit visit) {
      return new Room(visit.number(), room.n + 1, room.sum + visit.amount());
    }
  }

  private static String[] parts(String line) {
    return line.split(" ");
  }

  private static String pageOf(long number) {
    return "page-" + number;
  }

  /// The first records.
  static final class Small {
    private Small() {}

    record Visit(String user, long number, int weight) implements AnyVisit {
      static Visit of(String line) {
        String[] parts = parts(line);
        return new Visit(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
      }

      @Override
      public long amount() {
        return weight;
      }
    }

    record Account(long last, int n, int sum) {}

    static void describe(Version version, Topology topology, String accounts) {
      version.describe(
          topology,
          line -> Visit.of(line),
          new Accounts<>(
              () -> new Account(0, 0, 0),
              (account, visit) ->
                  new Account(visit.number, account.n + 1, account.sum + visit.weight),
              account -> "%d %d %d".formatted(account.last, account.n, account.sum),
              null));
    }
  }

  /// A visit has a page, and an account says how many visits it has counted since it has one.
  static final class Paged {
    private Paged() {}

    record Visit(String user, long number, int weight, @Nullable String page) implements AnyVisit {
      static Visit of(String line) {
        Small.Visit small = Small.Visit.of(line);
        return new Visit(small.user, small.number, small.weight, pageOf(small.number));
      }

      @Override
      public long amount() {
        return weight;
      }
    }

    record Account(long last, int n, int sum, long since, @Nullable String page) {}

    static void describe(Version version, Topology topology, String accounts) {
      version.describe(
          topology,
          line -> Visit.of(line),
          new Accounts<>(
              () -> new Account(0, 0, 0, 0, null),
              (account, visit) ->
                  new Account(
                      visit.number,
                      account.n + 1,
                      account.sum + visit.weight,
                      account.since + 1,
                      visit.page),
              account ->
                  "%d %d %d %d %s"
                      .formatted(account.last, account.n, account.sum, account.since, account.page),
              null));
    }
  }

  /// Numbers are wider, and one of them has another name.
  static final class Wide {
    private Wide() {}

    record Visit(String user, long number, long weight, @Nullable String page) implements AnyVisit {
      static Visit of(String line) {
        String[] parts = parts(line);
        long number = Long.parseLong(parts[1]);
        return new Visit(parts[0], number, Long.parseLong(parts[2]), pageOf(number));
      }

      @Override
      public long amount() {
        return weight;
      }
    }

    record Account(long last, @Was("n") long visits, long sum, long since, @Nullable String page) {}

    static void describe(Version version, Topology topology, String accounts) {
      version.describe(
          topology,
          line -> Visit.of(line),
          new Accounts<>(
              () -> new Account(0, 0, 0, 0, null),
              (account, visit) ->
                  new Account(
                      visit.number,
                      account.visits + 1,
                      account.sum + visit.weight,
                      account.since + 1,
                      visit.page),
              account ->
                  "%d %d %d %d %s"
                      .formatted(
                          account.last, account.visits, account.sum, account.since, account.page),
              null));
    }
  }

  /// What an account has counted is a record of its own, which does not evolve by itself.
  static final class Migrated {
    private Migrated() {}

    record Counted(long visits, long sum) {
      Counted with(long weight) {
        return new Counted(visits + 1, sum + weight);
      }
    }

    record Account(long last, Counted counted, long since, @Nullable String page) {
      static Account of(Wide.Account wide) {
        return new Account(wide.last, new Counted(wide.visits, wide.sum), wide.since, wide.page);
      }

      Wide.Account back() {
        return new Wide.Account(last, counted.visits, counted.sum, since, page);
      }
    }

    static void describe(Version version, Topology topology, String accounts) {
      version.describe(
          topology,
          line -> Wide.Visit.of(line),
          new Accounts<>(
              () -> new Account(0, new Counted(0, 0), 0, null),
              (account, visit) ->
                  new Account(
                      visit.number,
                      account.counted.with(visit.weight),
                      account.since + 1,
                      visit.page),
              account ->
                  "%d %d %d %d %s"
                      .formatted(
                          account.last,
                          account.counted.visits,
                          account.counted.sum,
                          account.since,
                          account.page),
              Serdes.version(2, Serdes.record(Account.class))
                  .from(1, Serdes.record(Wide.Account.class), Account::of, Account::back)));
    }
  }
}
