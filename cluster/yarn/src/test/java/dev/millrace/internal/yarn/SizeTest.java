package dev.millrace.internal.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SizeTest {
  @Test
  void sizesAreMegabytesOrGigabytes() {
    assertEquals(512, Size.megabytes("--memory", "512MB"));
    assertEquals(512, Size.megabytes("--memory", "512m"));
    assertEquals(2_048, Size.megabytes("--memory", "2GB"));
    YarnProblem e = assertThrows(YarnProblem.class, () -> Size.megabytes("--memory", "2"));
    assertTrue(e.getMessage().contains("--memory is '2'"), e.getMessage());
  }

  @Test
  void theHeapLeavesRoomForWhatIsBesideIt() {
    for (long container : new long[] {512, 1_024, 2_048, 8_192, 65_536}) {
      long heap = Size.heapMegabytes(container);
      // As a start of Millrace adds it up: heap, a third of half of it, and the JVM.
      assertTrue(heap * 1.21 + 220 <= container * 0.9, container + ": " + heap);
      assertTrue(heap >= container / 5, container + ": " + heap);
    }
    assertEquals(64, Size.heapMegabytes(256));
  }
}
