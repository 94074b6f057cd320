package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.model.Bid;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The highest bids for an auction.
///
/// @param bids at most ten, the highest first; of equal ones that which came first
record HighBids(List<Bid> bids) {
  private static final int MOST = 10;
  private static final HighBids NONE = new HighBids(List.of());

  static final StoreSpec<Long, HighBids> STORE =
      StoreSpec.keyValue("bids-of-auction", Serdes.longs(), Serdes.record(HighBids.class));

  /// Whether a bid is among the highest.
  boolean takes(Bid bid) {
    return bids.size() < MOST || bids.getLast().price() < bid.price();
  }

  /// With one more that it takes.
  HighBids and(Bid bid) {
    int place = bids.size();
    while (place > 0 && bids.get(place - 1).price() < bid.price()) {
      place--;
    }
    List<Bid> all = new ArrayList<>(bids);
    all.add(place, bid);
    return new HighBids(all.subList(0, Math.min(MOST, all.size())));
  }

  /// Tells the highest bids of an auction whenever there is a new one among them.
  static final class Finder implements Processor<Long, Bid, HighBids> {
    private @Nullable KeyValueStore<Long, HighBids> store;

    @Override
    public void open(ProcessorContext<Long> context) {
      store = context.store(STORE);
    }

    @Override
    public void process(Records<Long, Bid> records, Output<HighBids> out) {
      KeyValueStore<Long, HighBids> all = Objects.requireNonNull(store);
      while (records.next()) {
        Bid bid = records.value();
        HighBids before = Objects.requireNonNullElse(all.get(bid.auction()), NONE);
        if (before.takes(bid)) {
          HighBids now = before.and(bid);
          all.put(bid.auction(), now);
          out.emit(now);
        }
      }
    }
  }
}
