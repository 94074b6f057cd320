package dev.millrace.testkit.log;

import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.List;

/// What goes wrong between processes and the model log.
///
/// @param network how late each request and each answer of a writer is; a delay longer than
///   `giveUp` means that it is carried out although the writer has given up on it
/// @param lostRequests how often the end of a transaction never arrives: the outcome is unknown
/// @param lostAnswers how often the answer to the end of a transaction is lost: it was carried out,
///   and the outcome is unknown
/// @param failedSends how often records are refused, so that their transaction is aborted
/// @param unavailable how often a call of the log, or the opening of a writer, finds nobody; half
///   of those are carried out all the same
/// @param silence how often, and how long, a reader sees nothing new of a split
/// @param giveUp how long a writer waits for an answer
public record Faults(
    Delay network,
    double lostRequests,
    double lostAnswers,
    double failedSends,
    double unavailable,
    Delay silence,
    Duration giveUp) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// Nothing goes wrong, and all is immediate.
  public static Faults none() {
    return new Faults(Delay.NONE, 0, 0, 0, 0, Delay.NONE, PATIENCE);
  }

  /// A mixture of faults; some kinds are left out, and the rest are rare or frequent.
  public static Faults drawn(Seed seed) {
    Delay network =
        seed.pick(
            List.of(
                Delay.NONE,
                Delay.upTo(Duration.ofMillis(3)),
                new Delay(0.2, Duration.ofMillis(1), Duration.ofMillis(200)),
                new Delay(0.05, Duration.ofMillis(500), Duration.ofSeconds(3))));
    Delay silence =
        seed.pick(
            List.of(
                Delay.NONE,
                new Delay(0.3, Duration.ofMillis(1), Duration.ofMillis(20)),
                new Delay(0.02, Duration.ofMillis(100), Duration.ofSeconds(2))));
    return new Faults(
        network,
        rate(seed, 0.1),
        rate(seed, 0.1),
        rate(seed, 0.05),
        rate(seed, 0.1),
        silence,
        Duration.ofSeconds(1));
  }

  private static double rate(Seed seed, double most) {
    return seed.pick(List.of(0.0, most / 10, most));
  }
}
