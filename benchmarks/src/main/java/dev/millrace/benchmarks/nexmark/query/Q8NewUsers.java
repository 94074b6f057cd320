package dev.millrace.benchmarks.nexmark.query;

import static dev.millrace.api.Windows.tumbling;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import dev.millrace.benchmarks.nexmark.model.Person;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who has come and opened an auction within the same ten seconds.
public final class Q8NewUsers implements Query<Q8NewUsers.NewSeller> {

  /// @param startMillis of the ten seconds
  public record NewSeller(long id, String name, long startMillis) {}

  /// Somebody in some seconds.
  ///
  /// @param name null if the person has not come in them
  private record User(@Nullable String name, boolean sells) {
    static final User NONE = new User(null, false);

    User and(Event event) {
      return switch (event) {
        case Person person -> new User(person.name(), sells);
        case Auction _ -> sells ? this : new User(name, true);
        case Bid _ -> this;
      };
    }
  }

  /// @param sellers one or none
  private record Found(List<NewSeller> sellers) {
    static Found of(long id, User user, long startMillis) {
      return new Found(
          user.name == null || !user.sells
              ? List.of()
              : List.of(new NewSeller(id, user.name, startMillis)));
    }
  }

  @Override
  public Class<NewSeller> type() {
    return NewSeller.class;
  }

  @Override
  public void build(Events events, Results<NewSeller> results) {
    results.take(
        events
            .all()
            .filter(event -> !(event instanceof Bid))
            .groupBy("events-by-person", Q8NewUsers::person)
            .window(tumbling(ofSeconds(10)).allowedLateness(ZERO))
            .aggregate("users", () -> User.NONE, User::and)
            .results(
                user -> Found.of(user.key(), user.value(), user.window().start().toEpochMilli()))
            .flatMap(Found::sellers));
  }

  private static long person(Event event) {
    return switch (event) {
      case Person person -> person.id();
      case Auction auction -> auction.seller();
      case Bid bid -> bid.bidder();
    };
  }

  @Override
  public long fingerprint(NewSeller seller) {
    return Fingerprint.of(seller.id, Fingerprint.text(seller.name), seller.startMillis);
  }
}
