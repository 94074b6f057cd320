package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Statistics;
import dev.millrace.benchmarks.nexmark.query.Statistics.Numbers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Keeps who bids on what as sets: q15 and q16.
final class AllStatistics implements Oracle {
  private record Part(String channel, String day) {}

  /// Of all prices, and of low, middle and high ones.
  private static final class Seen {
    private final long[] bids = new long[4];
    private final List<Set<Long>> bidders = sets();
    private final List<Set<Long>> auctions = sets();
    private String minute = "";

    private static List<Set<Long>> sets() {
      return IntStream.range(0, 4).<Set<Long>>mapToObj(_ -> new HashSet<>()).toList();
    }

    void add(int place, Bid bid) {
      bids[place]++;
      bidders.get(place).add(bid.bidder());
      auctions.get(place).add(bid.auction());
    }

    private static Numbers sizes(List<Set<Long>> sets) {
      return new Numbers(
          sets.get(0).size(), sets.get(1).size(), sets.get(2).size(), sets.get(3).size());
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
      seen.add(0, bid);
      seen.add(place(bid.price()), bid);
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
                new Numbers(seen.bids[0], seen.bids[1], seen.bids[2], seen.bids[3]),
                Seen.sizes(seen.bidders),
                Seen.sizes(seen.auctions))));
  }
}
