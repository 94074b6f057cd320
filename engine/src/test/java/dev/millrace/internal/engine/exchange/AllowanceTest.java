package dev.millrace.internal.engine.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AllowanceTest {
  private static final long MOST = 4 << 20;

  private final Allowance allowance = new Allowance(MOST);

  private void commit(long waitedMillis) {
    allowance.waited(Duration.ofMillis(waitedMillis).toNanos());
    allowance.waited(0);
    allowance.adapt();
  }

  @Test
  void itGrowsWhileItIsReachedAndCommitsHardlyWait() {
    assertEquals(1 << 20, allowance.bytes());
    commit(1);
    assertEquals(1 << 20, allowance.bytes());
    allowance.reached();
    commit(1);
    assertEquals(2 << 20, allowance.bytes());
    for (int i = 0; i < 5; i++) {
      allowance.reached();
      commit(1);
    }
    assertEquals(MOST, allowance.bytes());
    allowance.reached();
    commit(20);
    assertEquals(MOST, allowance.bytes());
  }

  @Test
  void aCommitThatWaitsTooLongMakesItSmallerAtOnce() {
    allowance.reached();
    commit(100);
    assertEquals(1 << 18, allowance.bytes());
    commit(40_000);
    assertEquals(16 << 10, allowance.bytes());
  }

  @Test
  void itSettlesWhereWhatIsUnderWayTakesNotTooLong() {
    long bytesAMilli = 20_000;
    long longest = 0;
    for (int i = 0; i < 50; i++) {
      allowance.reached();
      long waited = allowance.bytes() / bytesAMilli;
      commit(waited);
      longest = i < 10 ? 0 : Math.max(longest, waited);
    }
    assertTrue(longest >= 6 && longest <= 25, longest + " ms");
  }

  @Test
  void behindAFailureItIsSmall() {
    allowance.failed();
    assertEquals(1 << 17, allowance.bytes());
    assertEquals(500, new Allowance(500).bytes());
  }
}
