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

  private record Seller(long id, String name, String city, String state) {
    static Seller of(Person person) {
      return new Seller(person.id(), person.name(), person.city(), person.state());
    }
  }

  private record Item(long auction, long seller) {
    static Item of(Auction auction) {
      return new Item(auction.id(), auction.seller());
    }
  }

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
            .map(Seller::of)
            .groupBy("people-by-id", Seller::id)
            .latest("people");
    results.take(
        events
            .auctions()
            .filter(auction -> auction.category() == CATEGORY)
            .map(Item::of)
            .groupBy("auctions-by-id", Item::auction)
            .latest("auctions")
            .join(
                "local-items",
                sellers,
                Item::seller,
                (item, seller) ->
                    new LocalItem(seller.name(), seller.city(), seller.state(), item.auction()))
            .toChangelogStream());
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
