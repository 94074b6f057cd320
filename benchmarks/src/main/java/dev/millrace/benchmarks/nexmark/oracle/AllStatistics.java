package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Statistics;
import dev.millrace.benchmarks.nexmark.query.Statistics.Numbers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/// Keeps who bids on what, and counts at the end: q15 and q16. As numbers, since sets of objects of
/// ten million events do not fit into a gigabyte.
final class AllStatistics implements Oracle {
  private record Part(String channel, String day) {}

  /// The bids of a part.
  private static final class Seen {
    private byte[] places = new byte[4];
    private long[] bidders = new long[4];
    private long[] auctions = new long[4];
    private int size;
    private String minute = "";

    void add(Bid bid) {
      if (size == places.length) {
        int more = size + size / 2;
        places = Arrays.copyOf(places, more);
        bidders = Arrays.copyOf(bidders, more);
        auctions = Arrays.copyOf(auctions, more);
      }
      places[size] = (byte) place(bid.price());
      bidders[size] = bid.bidder();
      auctions[size] = bid.auction();
      size++;
    }

    /// Those with low, middle or high prices, from 1; all for 0.
    private IntStream of(int place) {
      return IntStream.range(0, size).filter(i -> place == 0 || places[i] == place);
    }

    Numbers bids() {
      return numbers(place -> of(place).count());
    }

    Numbers distinct(long[] values) {
      return numbers(place -> of(place).mapToLong(i -> values[i]).distinct().count());
    }

    private static Numbers numbers(IntToLongFunction of) {
      return new Numbers(
          of.applyAsLong(0), of.applyAsLong(1), of.applyAsLong(2), of.applyAsLong(3));
    }
  }

  private final Map<Part, Seen> all = new HashMap<>();
  private final Function<Bid, String> channel;
  private final Consumer<Object> out;

  AllStatistics(Function<Bid, String> channel, Consumer<Object> out) {
    this.channel = channel;
    this.out = out;
  }

  /// Which of low, middle and high prices it is, from 1.
  static int place(long price) {
    return price < 10_000 ? 1 : price < 1_000_000 ? 2 : 3;
  }

  @Override
  public void add(Event event) {
    if (event instanceof Bid bid) {
      Part part = new Part(channel.apply(bid), EachBid.day(bid.timeMillis()));
      Seen seen = all.computeIfAbsent(part, _ -> new Seen());
      seen.add(bid);
      seen.minute = EachBid.minute(bid.timeMillis());
    }
  }

  @Override
  public void end() {
    all.forEach((part, seen) ->
        out.accept(
            new Statistics(
                part.channel,
                part.day,
                seen.minute,
                seen.bids(),
                seen.distinct(seen.bidders),
                seen.distinct(seen.auctions))));
  }
}
