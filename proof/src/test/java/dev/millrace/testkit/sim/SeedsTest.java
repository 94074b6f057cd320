package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.disk.Hosts;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whole jobs under seeds that no other test has, on the models of the log and of the disk.
/// `millrace simulate` runs more of them, and some on RocksDB.
class SeedsTest {
  private static final long FROM = 1_000;
  private static final int SEEDS = 10;

  /// One is crashed wherever it can be, which takes more.
  private static final String EVERYWHERE = "sums";

  private static final int SEEDS_EVERYWHERE = 160;

  /// Every state a crash can come in; going back after an abort; opening a disk, and flushes to it.
  private static final List<String> POINTS =
      List.of(
          "FENCING",
          "FENCING, rolling back",
          "RESTORING",
          "RESTORING, in disk",
          "PROCESSING",
          "PROCESSING, in disk",
          "COLLECTING",
          "COLLECTING, in disk",
          "COMMITTING",
          "COMMITTING, in disk",
          "COLLECTING_LAST",
          "COMMITTING_LAST",
          "RELEASING");

  static List<String> scenarios() {
    return Scenario.all().stream().map(Scenario::name).toList();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void noneFails(String name) throws InterruptedException {
    int seeds = name.equals(EVERYWHERE) ? SEEDS_EVERYWHERE : SEEDS;
    Simulations simulations = new Simulations(Scenario.named(name), FROM, seeds, SeedsTest::run);
    Simulations.Failed failed = simulations.run(1, _ -> {});
    assertNull(
        failed,
        () ->
            "Replay it with: millrace simulate --scenario %s --disk model --from %d --seeds 1 --verbose"
                .formatted(name, failed.seed()));
    CrashPoints points = simulations.crashPoints();
    System.out.printf("crash schedules: %d, of %s, crashed at %s%n", seeds, name, points);
    if (name.equals(EVERYWHERE)) {
      for (String point : POINTS) {
        assertTrue(points.at(point) > 0, () -> "Never crashed at " + point + ": " + points);
      }
    }
  }

  private static Scenario.Seen run(Scenario scenario, long seed, CrashSchedule schedule) {
    try (Hosts hosts = Hosts.models()) {
      return scenario.run(seed, schedule, hosts);
    }
  }
}
