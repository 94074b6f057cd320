package dev.millrace.benchmarks.nexmark.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// All queries, by number.
public final class Queries {
  private static final List<Query<?>> ALL =
      List.of(
          new Q0PassThrough(),
          new Q1Currency(),
          new Q2Selection(),
          new Q3LocalItems(),
          new Q4AveragePrice(),
          new Q5HotItems(),
          new Q6AverageOfSeller(),
          new Q7HighestBid(),
          new Q8NewUsers(),
          new Q9WinningBids(),
          new Q10Log(),
          new Q11UserSessions(),
          new Q12WindowsOfArrival(),
          new Q13SideInput(),
          new Q14Calculation(),
          new Q15BidStatistics(),
          new Q16ChannelStatistics(),
          new Q17AuctionStatistics(),
          new Q18LastBid(),
          new Q19TopTen(),
          new Q20BidWithAuction(),
          new Q21ChannelId(),
          new Q22UrlDirectories());

  private static final Set<String> KEEP_NO_BIDS =
      Set.of("q0", "q1", "q2", "q3", "q8", "q10", "q13", "q14", "q21", "q22");

  private Queries() {}

  /// The names of all: `q0` to `q22`.
  public static List<String> ids() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < ALL.size(); i++) {
      ids.add("q" + i);
    }
    return ids;
  }

  /// Whether the state of a query grows with bids, which most events are.
  public static boolean keepsBids(String id) {
    return !KEEP_NO_BIDS.contains(id);
  }

  /// The query of a name.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static Query<?> of(String id) {
    int number = ids().indexOf(id);
    if (number < 0) {
      throw new IllegalArgumentException(
          "There is no query '%s'; there are %s.".formatted(id, String.join(", ", ids())));
    }
    return ALL.get(number);
  }
}
