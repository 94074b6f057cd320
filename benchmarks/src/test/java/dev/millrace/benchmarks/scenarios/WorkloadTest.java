package dev.millrace.benchmarks.scenarios;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  private static final long RECORDS = 200_000;

  private static Workload workload(long keys, Distribution distribution) {
    return new Workload(keys, distribution, RECORDS, 100, "none");
  }

  @Test
  void countsAddUpToTheRecordsAndAreTheSameEveryTime() {
    for (Distribution each : Distribution.values()) {
      int[] counts = workload(1_000, each).counts();
      assertEquals(RECORDS, Arrays.stream(counts).asLongStream().sum());
      assertArrayEquals(counts, workload(1_000, each).counts());
    }
  }

  @Test
  void uniformKeysOccurAboutEquallyOften() {
    int[] counts = workload(100, Distribution.UNIFORM).counts();
    for (int count : counts) {
      assertEquals(2_000, count, 300);
    }
  }

  @Test
  void keysAfterZipfOccurAsTheirRanksSay() {
    int keys = 1_000;
    int[] counts = workload(keys, Distribution.ZIPF).counts();
    double all = 0;
    for (int rank = 1; rank <= keys; rank++) {
      all += Math.pow(rank, -0.99);
    }
    // The quick way is exact for the first two.
    assertEquals(RECORDS / all, counts[0], 0.03 * RECORDS / all);
    assertEquals(RECORDS / all * Math.pow(2, -0.99), counts[1], 0.05 * RECORDS / all);
    int tail = 0;
    for (int key = keys / 2; key < keys; key++) {
      tail += counts[key];
    }
    assertTrue(tail > RECORDS * 0.06 && tail < RECORDS * 0.14, "tail " + tail);
  }

  @Test
  void oneKeyIsEnough() {
    for (Distribution each : Distribution.values()) {
      assertArrayEquals(new int[] {(int) RECORDS}, workload(1, each).counts());
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new Workload(1, Distribution.UNIFORM, 1, 24, "none"));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Workload(0, Distribution.UNIFORM, 1, 100, "none"));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Workload(1, Distribution.UNIFORM, 0, 100, "none"));
    assertThrows(IllegalArgumentException.class, () -> Distribution.of("normal"));
  }
}
