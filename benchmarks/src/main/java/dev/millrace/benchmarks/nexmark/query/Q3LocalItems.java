package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import dev.millrace.benchmarks.nexmark.model.Person;
import java.util.List;

/// Who sells things of a category in some states. Sellers may come later than their auctions.
public final class Q3LocalItems implements Query<Q3LocalItems.LocalItem> {
  private static final long CATEGORY = 10;
  private static final List<String> STATES = List.of("OR", "ID", "CA");

  /// What somebody sells.
  public record LocalItem(String name, String city, String state, long auction) {}

  @Override
  public Class<LocalItem> type() {
    return LocalItem.class;
  }

  @Override
  public void build(Events events, Results<LocalItem> results) {
    var sellers =
        events
            .persons()
            .filter(person -> STATES.contains(person.state()))
            .groupBy("people-by-id", Person::id)
            .latest("people");
    results.take(
        events
            .auctions()
            .filter(auction -> auction.category() == CATEGORY)
            .map(Bare::auction)
            .groupBy("auctions-by-id", Auction::id)
            .latest("auctions")
            .join(
                "local-items",
                sellers,
                Auction::seller,
                (auction, seller) ->
                    new LocalItem(seller.name(), seller.city(), seller.state(), auction.id()))
            .changes());
  }

  @Override
  public long fingerprint(LocalItem item) {
    return Fingerprint.of(
        Fingerprint.text(item.name),
        Fingerprint.text(item.city),
        Fingerprint.text(item.state),
        item.auction);
  }
}
