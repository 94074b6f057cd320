package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Keeps each auction for the bids that come behind it, and bids until their auction comes.
final class BidsWithAuction implements Processor<Long, Event, AuctionBid> {
  static final StoreSpec<Long, Known> STORE =
      StoreSpec.keyValue("known-auctions", Serdes.longs(), Serdes.record(Known.class));

  /// @param auction null if it has not come
  /// @param early the bids that have come before
  record Known(@Nullable Auction auction, List<Bid> early) {
    static final Known NONE = new Known(null, List.of());

    Known and(Bid bid) {
      List<Bid> more = new ArrayList<>(early);
      more.add(bid);
      return new Known(null, more);
    }
  }

  private @Nullable KeyValueStore<Long, Known> store;

  @Override
  public void open(ProcessorContext<Long> context) {
    store = context.store(STORE);
  }

  @Override
  public void process(Records<Long, Event> records, Output<AuctionBid> out) {
    KeyValueStore<Long, Known> all = Objects.requireNonNull(store);
    while (records.next()) {
      Event event = records.value();
      long id = WinningBids.auction(event);
      Known known = Objects.requireNonNullElse(all.get(id), Known.NONE);
      if (event instanceof Auction auction) {
        all.put(id, new Known(auction, List.of()));
        known.early.forEach(bid -> emit(auction, bid, out));
      } else if (event instanceof Bid bid) {
        Auction auction = known.auction;
        if (auction == null) {
          all.put(id, known.and(bid));
        } else {
          emit(auction, bid, out);
        }
      }
    }
  }

  private static void emit(Auction auction, Bid bid, Output<AuctionBid> out) {
    if (auction.category() == Q20BidWithAuction.CATEGORY) {
      out.emit(new AuctionBid(auction, bid));
    }
  }
}
