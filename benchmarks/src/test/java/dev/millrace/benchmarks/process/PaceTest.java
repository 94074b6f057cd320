package dev.millrace.benchmarks.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PaceTest {
  @Test
  void numbersComeInOrderAndNoneTooSoon() {
    List<Long> numbers = new ArrayList<>();
    List<Long> nanos = new ArrayList<>();
    long start = System.nanoTime();
    Pace.keep(
        50,
        1_000,
        number -> {
          numbers.add(number);
          nanos.add(System.nanoTime() - start);
        });
    assertEquals(LongStream.range(0, 50).boxed().toList(), numbers);
    for (int i = 0; i < 50; i++) {
      assertTrue(nanos.get(i) >= i * 1_000_000L, "number " + i + " after " + nanos.get(i) + " ns");
    }
  }

  @Test
  void aStretchHasItsRateAndProcessorTime() {
    Stretch stretch = new Stretch(4_000_000, 2_000_000_000, 1_000_000_000);
    assertEquals(2_000_000, stretch.rate(), 1e-6);
    assertEquals(0.25, stretch.cpuSecondsPerMillion(), 1e-9);
  }
}
