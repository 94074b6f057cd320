package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Stream;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.query.Statistics.Numbers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Counts bids, and who bids on what, each once; tells it once a second of event time.
final class BidStatistics implements Processor<BidStatistics.Key, Bid, Statistics> {
  private static final long SECOND_MILLIS = 1_000;

  private static final StoreSpec<Key, Counts> COUNTS =
      StoreSpec.keyValue("counts", Serdes.orderedRecord(Key.class), Serdes.record(Counts.class));
  private static final StoreSpec<Member, Integer> BIDDERS =
      StoreSpec.keyValue("bidders", Serdes.orderedRecord(Member.class), Serdes.ints());
  private static final StoreSpec<Member, Integer> AUCTIONS =
      StoreSpec.keyValue("auctions", Serdes.orderedRecord(Member.class), Serdes.ints());

  /// @param channel empty for all
  record Key(String channel, long epochDay) {}

  /// A bidder or an auction.
  record Member(String channel, long epochDay, long id) {}

  record Counts(long lastMillis, Numbers bids, Numbers bidders, Numbers auctions) {
    static final Counts NONE = new Counts(0, Numbers.NONE, Numbers.NONE, Numbers.NONE);
  }

  private @Nullable ProcessorContext<Key> context;
  private @Nullable KeyValueStore<Key, Counts> counts;
  private @Nullable KeyValueStore<Member, Integer> bidders;
  private @Nullable KeyValueStore<Member, Integer> auctions;

  /// Statistics that change.
  static KeyedStream<Key, Statistics> of(Stream<Bid> bids, Mapper<Bid, String> channel) {
    return bids
        .groupBy("bids-by-day", bid -> new Key(channel.map(bid), Times.epochDay(bid.timeMillis())))
        .keyAs(Serdes.orderedRecord(Key.class))
        .stream()
        .process("bid-counts", BidStatistics::new, COUNTS, BIDDERS, AUCTIONS)
        .groupByKey()
        .latest("statistics")
        .toChangelogStream();
  }

  @Override
  public void open(ProcessorContext<Key> opened) {
    context = opened;
    counts = opened.store(COUNTS);
    bidders = opened.store(BIDDERS);
    auctions = opened.store(AUCTIONS);
  }

  @Override
  public void process(Records<Key, Bid> records, Output<Statistics> out) {
    KeyValueStore<Key, Counts> all = Objects.requireNonNull(counts);
    while (records.next()) {
      Key key = Objects.requireNonNull(records.key());
      Bid bid = records.value();
      PriceRange range = PriceRange.of(bid.price());
      Counts before = Objects.requireNonNullElse(all.get(key), Counts.NONE);
      all.put(
          key,
          new Counts(
              Math.max(before.lastMillis, bid.timeMillis()),
              before.bids.and(range, true),
              with(before.bidders, bidders, key, bid.bidder(), range),
              with(before.auctions, auctions, key, bid.auction(), range)));
      long second = Math.floorDiv(bid.timeMillis(), SECOND_MILLIS) * SECOND_MILLIS;
      Objects.requireNonNull(context).setTimer(key, second + SECOND_MILLIS);
    }
  }

  /// Counts a member unless it was seen with such a price before.
  private static Numbers with(
      Numbers before,
      @Nullable KeyValueStore<Member, Integer> members,
      Key key,
      long id,
      PriceRange range) {
    KeyValueStore<Member, Integer> all = Objects.requireNonNull(members);
    Member member = new Member(key.channel, key.epochDay, id);
    Integer found = all.get(member);
    int seen = found == null ? 0 : found;
    int now = seen | range.bit();
    if (now == seen) {
      return before;
    }
    all.put(member, now);
    return before.and(range, seen == 0);
  }

  @Override
  public void onTimer(Key key, long timestamp, Output<Statistics> out) {
    Counts now = Objects.requireNonNull(Objects.requireNonNull(counts).get(key));
    out.emit(
        new Statistics(
            key.channel,
            Times.day(now.lastMillis),
            Times.minute(now.lastMillis),
            now.bids,
            now.bidders,
            now.auctions));
  }
}
