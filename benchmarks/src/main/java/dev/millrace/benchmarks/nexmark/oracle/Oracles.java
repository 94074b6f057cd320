package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.model.Tally;
import dev.millrace.benchmarks.nexmark.query.Queries;
import dev.millrace.benchmarks.nexmark.query.Query;
import java.util.function.Consumer;

/// What each query must give.
public final class Oracles {
  private Oracles() {}

  /// Answers a query.
  ///
  /// @param id such as `q5`
  /// @param out takes the results, in no particular order
  @SuppressWarnings("unchecked") // each oracle gives results of its query's class
  public static <R> void answer(String id, Generator generator, Consumer<R> out) {
    Oracle oracle = oracle(id, (Consumer<Object>) out);
    for (long number = 0; number < generator.settings().events(); number++) {
      oracle.add(generator.event(number));
    }
    oracle.end();
  }

  /// The fingerprints of a query's results, added up.
  public static Tally tally(String id, Generator generator) {
    return tally(id, Queries.of(id), generator);
  }

  private static <R> Tally tally(String id, Query<R> query, Generator generator) {
    Tally tally = new Tally();
    Oracles.<R>answer(id, generator, result -> tally.add(query.fingerprint(result), false));
    return tally;
  }

  private static Oracle oracle(String id, Consumer<Object> out) {
    return switch (id) {
      case "q0" -> new OfEachBid(EachBid::same, out);
      case "q1" -> new OfEachBid(EachBid::inEuros, out);
      case "q2" -> new OfEachBid(EachBid::selected, out);
      case "q3" -> new LocalItems(out);
      case "q4" -> new AveragePrices(out);
      case "q5" -> new HotItems(out);
      case "q6" -> new AveragesOfSellers(out);
      case "q7" -> new HighestBids(out);
      case "q8" -> new NewUsers(out);
      case "q9" -> new Winners(out::accept);
      case "q10" -> new OfEachBid(EachBid::logged, out);
      case "q11" -> new UserSessions(out);
      case "q12" -> new BidsOfUsers(out);
      case "q13" -> new OfEachBid(EachBid::withText, out);
      case "q14" -> new OfEachBid(EachBid::calculated, out);
      case "q15" -> new AllStatistics(_ -> "", out);
      case "q16" -> new AllStatistics(bid -> bid.channel(), out);
      case "q17" -> new StatisticsOfAuctions(out);
      case "q18" -> new LastBids(out);
      case "q19" -> new TopTens(out);
      case "q20" -> new BidsAndAuctions(out);
      case "q21" -> new OfEachBid(EachBid::withChannel, out);
      case "q22" -> new OfEachBid(EachBid::withDirectories, out);
      default -> throw new IllegalArgumentException("There is no query '%s'.".formatted(id));
    };
  }
}
