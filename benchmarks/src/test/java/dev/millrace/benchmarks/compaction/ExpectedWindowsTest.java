package dev.millrace.benchmarks.compaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ExpectedWindowsTest {
  /// Windows at 5 and 6 s: key 0 has three tuples in the first, key 1 four in the second.
  private final ExpectedWindows expected =
      new ExpectedWindows(5_000, new long[][] {{3, 0}, {0, 4}});

  @Test
  void rightCountsPass() {
    assertEquals(2, expected.records());
    expected.accept(0, new WindowCount(5_000, 3));
    expected.accept(1, new WindowCount(6_000, 4));
    expected.finish();
  }

  @Test
  void aWrongCountDoesNot() {
    IllegalStateException wrong =
        assertThrows(
            IllegalStateException.class, () -> expected.accept(0, new WindowCount(5_000, 2)));
    assertTrue(String.valueOf(wrong.getMessage()).contains("3 went in"), wrong::getMessage);
  }

  @Test
  void aResultTwiceDoesNot() {
    expected.accept(0, new WindowCount(5_000, 3));
    assertThrows(IllegalStateException.class, () -> expected.accept(0, new WindowCount(5_000, 3)));
  }

  @Test
  void windowsAndKeysThatHaveNoTuplesDoNot() {
    assertThrows(IllegalStateException.class, () -> expected.accept(0, new WindowCount(4_000, 3)));
    assertThrows(IllegalStateException.class, () -> expected.accept(0, new WindowCount(7_000, 3)));
    assertThrows(IllegalStateException.class, () -> expected.accept(2, new WindowCount(5_000, 3)));
    assertThrows(IllegalStateException.class, () -> expected.accept(1, new WindowCount(5_000, 0)));
  }

  @Test
  void aResultIsReadAsItWasWritten() {
    WindowCount result = new WindowCount(1_790_000_000_000L, 7);
    assertEquals(result, WindowCount.of(result.toBytes()));
  }
}
