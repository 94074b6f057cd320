package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Stream;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Waits for the end of each auction, and tells which bid has won.
final class WinningBids implements Processor<Long, Event, AuctionBid> {
  private static final StoreSpec<Long, Bidding> BIDDING =
      StoreSpec.keyValue("bidding", Serdes.longs(), Serdes.record(Bidding.class));

  private @Nullable ProcessorContext<Long> context;
  private @Nullable KeyValueStore<Long, Bidding> store;

  /// The winning bids, under the auction's id, just behind its last moment.
  ///
  /// @param bidding auctions and bids
  static KeyedStream<Long, AuctionBid> of(Stream<Event> bidding) {
    return bidding.groupBy("events-by-auction", WinningBids::auction).stream()
        .process("winning-bids", WinningBids::new, BIDDING);
  }

  static long auction(Event event) {
    return switch (event) {
      case Auction auction -> auction.id();
      case Bid bid -> bid.auction();
      case Person person ->
          throw new IllegalArgumentException("A person belongs to no auction: " + person);
    };
  }

  @Override
  public void open(ProcessorContext<Long> opened) {
    context = opened;
    store = opened.store(BIDDING);
  }

  @Override
  public void process(Records<Long, Event> records, Output<AuctionBid> out) {
    KeyValueStore<Long, Bidding> all = Objects.requireNonNull(store);
    while (records.next()) {
      Event event = records.value();
      long id = auction(event);
      Bidding found = all.get(id);
      Bidding before = found == null ? Bidding.NONE : found;
      if (event instanceof Auction auction) {
        all.put(id, before.with(auction));
        Objects.requireNonNull(context).setTimer(id, auction.expiresMillis() + 1);
      } else if (event instanceof Bid bid && before.isChangedBy(bid)) {
        all.put(id, before.with(bid));
      }
    }
  }

  @Override
  public void onTimer(Long id, long timestamp, Output<AuctionBid> out) {
    KeyValueStore<Long, Bidding> all = Objects.requireNonNull(store);
    Bidding ended = all.get(id);
    all.delete(id);
    if (ended != null && ended.auction() != null && ended.best() != null) {
      out.emit(new AuctionBid(ended.auction(), ended.best()));
    }
  }
}
