package dev.millrace.benchmarks.compaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunTest {
  @Test
  void sizesAndShares() {
    Run run = new Run(List.of(10L, 40L, 20L, 30L, 15L), 20, 5, 2, 0);
    assertEquals(40, run.most());
    assertEquals(20, run.middle());
    assertEquals(15, run.last());
    assertEquals(25, run.brokerPercent());
  }
}
