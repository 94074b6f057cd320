package dev.millrace.benchmarks.metrics;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.process.CpuProfile.Samples;
import org.junit.jupiter.api.Test;

class ShareTest {
  /// Of published tables: 8 of 80 give 5.2 to 18.5 %, none of 20 gives 0 to 16.1 %.
  @Test
  void theIntervalIsWilsons() {
    Share share = Share.of(new Samples(80, 8));
    assertEquals(0.1, share.found());
    assertEquals(0.0515, share.least(), 0.0005);
    assertEquals(0.1851, share.most(), 0.0005);
    assertEquals(0.1611, Share.of(new Samples(20, 0)).most(), 0.0005);
  }

  @Test
  void whatFewSamplesCannotExcludeIsTooMuch() {
    assertTrue(Share.of(new Samples(100, 0)).isTooMuch());
    assertFalse(Share.of(new Samples(1_000, 5)).isTooMuch());
    assertTrue(Share.of(new Samples(1_000, 20)).isTooMuch());
    assertTrue(Share.of(new Samples(0, 0)).isTooMuch());
  }

  /// Or nothing would be seen any more when one of them has another name.
  @Test
  void theClassesOfMetricsAreThere() {
    for (String name : MetricsClasses.NAMES) {
      assertDoesNotThrow(() -> Class.forName(name, false, getClass().getClassLoader()));
    }
    assertTrue(MetricsClasses.contain("dev.millrace.StatusServer$Answer"));
    assertTrue(MetricsClasses.contain("sun.net.httpserver.ServerImpl"));
    assertFalse(MetricsClasses.contain("dev.millrace.internal.engine.loop.Worker"));
  }
}
