package dev.millrace.internal.yarn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.yarn.cluster.CountsRun;
import dev.millrace.internal.yarn.cluster.CountsRun.Recovery;
import dev.millrace.internal.yarn.cluster.HadoopCluster;
import dev.millrace.internal.yarn.cluster.YarnRun.Life;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long a container that is killed takes to be back does not depend on how much state it has,
/// as it finds it on its host.
@Tag("thorough")
class YarnRecoveryTest {
  /// A key has a thousand bytes.
  private static final int KEYS = Integer.getInteger("millrace.yarn.keys", 100_000);

  private static final int TIMES = 10;
  private static final double MOST = 1.3;
  private static final int KILLS = 3;

  /// Between two kills: a process that has just started still compiles.
  private static final Duration CALM = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void aStateOfTenTimesTheSizeIsFoundAgainAsFast() throws Exception {
    try (HadoopCluster cluster = new HadoopCluster(directory.resolve("hadoop"), Map.of())) {
      double little = medianSeconds(cluster, KEYS);
      double much = medianSeconds(cluster, KEYS * TIMES);
      System.out.printf("yarn: %.2f times as long%n", much / little);
      assertTrue(much <= MOST * little, () -> much + " s, with a tenth of the state " + little);
    }
  }

  private double medianSeconds(HadoopCluster cluster, int keys) throws Exception {
    try (CountsRun counts = new CountsRun(cluster, directory.resolve("counts-" + keys), keys)) {
      Life life = counts.submitAndFill();
      List<Recovery> all = new ArrayList<>();
      Thread.sleep(CALM); // what was written is still compacted
      for (int kill = 0; kill < KILLS; kill++) {
        Thread.sleep(CALM);
        all.add(counts.recovery(life));
        life = counts.await(1).getFirst();
      }
      System.out.printf(
          "yarn: %,d keys, %,d MB on disk: %s%n", keys, counts.stateBytes() >> 20, all);
      System.out.printf("yarn: %d rows compared%n", counts.compare());
      return all.stream().map(Recovery::tasksSeconds).sorted().toList().get(KILLS / 2);
    }
  }
}
