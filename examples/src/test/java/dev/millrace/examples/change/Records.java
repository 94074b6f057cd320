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

    record SmallVisit(String user, long number, int weight) implements AnyVisit {
      static SmallVisit of(String line) {
        String[] parts = parts(line);
        return new SmallVisit(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
      }

      @Override
      public long amount() {
        return weight;
      }
    }

    record SmallAccount(long last, int n, int sum) {}

    static void describe(Version version, Topology topology, String accounts) {
      version.describe(
          topology,
          line -> SmallVisit.of(line),
          new Accounts<>(
              () -> new SmallAccount(0, 0, 0),
              (account, visit) ->
                  new SmallAccount(visit.number, account.n + 1, account.sum + visit.weight),
              account -> "%d %d %d".formatted(account.last, account.n, account.sum),
              null));
    }
  }

  /// A visit has a page, and an account says how many visits it has counted since it has one.
  static final class Paged {
    private Paged() {}

    record PagedVisit(String user, long number, int weight, @Nullable String page)
        implements AnyVisit {
      static PagedVisit of(String line) {
        Small.SmallVisit small = Small.SmallVisit.of(line);
        return new PagedVisit(small.user, small.number, small.weight, pageOf(small.number));
      }

      @Override
      public long amount() {
        return weight;
      }
    }

    record PagedAccount(long last, int n, int sum, long since, @Nullable String page) {}

    static void describe(Version version, Topology topology, String accounts) {
      version.describe(
          topology,
          line -> PagedVisit.of(line),
          new Accounts<>(
              () -> new PagedAccount(0, 0, 0, 0, null),
              (account, visit) ->
                  new PagedAccount(
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

    record WideVisit(String user, long number, long weight, @Nullable String page)
        implements AnyVisit {
      static WideVisit of(String line) {
        String[] parts = parts(line);
        long number = Long.parseLong(parts[1]);
        return new WideVisit(parts[0], number, Long.parseLong(parts[2]), pageOf(number));
      }

      @Override
      public long amount() {
        return weight;
      }
    }

    record WideAccount(
        long last, @Was("n") long visits, long sum, long since, @Nullable String page) {}

    static void describe(Version version, Topology topology, String accounts) {
      version.describe(
          topology,
          line -> WideVisit.of(line),
          new Accounts<>(
              () -> new WideAccount(0, 0, 0, 0, null),
              (account, visit) ->
                  new WideAccount(
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

    record MigratedAccount(long last, Counted counted, long since, @Nullable String page) {
      static MigratedAccount of(Wide.WideAccount wide) {
        return new MigratedAccount(
            wide.last, new Counted(wide.visits, wide.sum), wide.since, wide.page);
      }

      Wide.WideAccount back() {
        return new Wide.WideAccount(last, counted.visits, counted.sum, since, page);
      }
    }

    static void describe(Version version, Topology topology, String accounts) {
      version.describe(
          topology,
          line -> Wide.WideVisit.of(line),
          new Accounts<>(
              () -> new MigratedAccount(0, new Counted(0, 0), 0, null),
              (account, visit) ->
                  new MigratedAccount(
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
              Serdes.version(2, Serdes.record(MigratedAccount.class))
                  .from(
                      1,
                      Serdes.record(Wide.WideAccount.class),
                      MigratedAccount::of,
                      MigratedAccount::back)));
    }
  }
}
