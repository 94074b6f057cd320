package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.config.MemoryConfig;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.kafka.client.ClientMemory;
import dev.millrace.internal.state.StateLimits;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final long MB = 1 << 20;
  private static final long GB = 1L << 30;
  private static final MemoryConfig DERIVED = MemoryConfig.defaults();

  private static MemoryBudget derived(long heap, long limit) {
    return MemoryBudget.of(DERIVED, new ProcessMemory(heap, limit), 2);
  }

  private static MemoryBudget given(long budget, long heap, long limit) {
    return MemoryBudget.of(MemoryConfig.of(budget), new ProcessMemory(heap, limit), 2);
  }

  @Test
  void withoutABudgetHalfOfTheHeapIsUsedAndAThirdOfThatOutside() {
    MemoryBudget budget = derived(2 * GB, 8 * GB);
    assertEquals(GB, budget.shares().heap());
    assertEquals(GB / 3, budget.shares().offHeap());
    assertEquals(List.of(), budget.warnings(DERIVED));
  }

  @Test
  void lessIsUsedOutsideTheHeapIfTheProcessCouldNotHaveIt() {
    // 90 % of the limit are 921 MB; heap and JVM take 600 MB and 244 MB.
    MemoryBudget budget = derived(600 * MB, GB);
    assertTrue(budget.shares().offHeap() < 600 * MB / 6, budget::describe);
    assertEquals(List.of(), budget.warnings(DERIVED));
  }

  @Test
  void aBudgetThatIsGivenIsDividedAndNeverExceeded() {
    MemoryBudget budget = given(400 * MB, 2 * GB, 8 * GB);
    assertEquals(300 * MB, budget.shares().heap());
    assertEquals(100 * MB, budget.shares().offHeap());
    assertEquals(400 * MB, budget.bytes());
  }

  @Test
  void aHeapThatIsTooSmallForTheBudgetIsSaidWithOneThatIsNot() {
    MemoryBudget budget = given(800 * MB, 512 * MB, 8 * GB);
    assertTrue(budget.shares().heap() <= 512 * MB * 6 / 10, budget::describe);
    List<String> warnings = budget.warnings(MemoryConfig.of(800 * MB));
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.getFirst().contains("-Xmx1000m"), warnings::toString);
    assertEquals(List.of(), given(800 * MB, 1000 * MB, 8 * GB).warnings(MemoryConfig.of(800 * MB)));
  }

  @Test
  void aHeapThatDoesNotFitIntoTheLimitIsSaidWithOneThatDoes() {
    List<String> warnings = derived(GB, GB).warnings(DERIVED);
    assertEquals(1, warnings.size(), warnings::toString);
    String warning = warnings.getFirst();
    long fits = number(warning, "-Xmx(\\d+)m");
    assertEquals(List.of(), derived(fits * MB, GB).warnings(DERIVED), warning);
    assertFalse(derived((fits + 60) * MB, GB).warnings(DERIVED).isEmpty(), warning);
  }

  @Test
  void aBudgetThatDoesNotFitIntoTheLimitIsSaidWithHeapAndBudgetThatDo() {
    long heap = 512 * MB;
    MemoryConfig config = MemoryConfig.of(1000 * MB);
    String warning =
        given(1000 * MB, heap, GB).warnings(config).stream()
            .filter(each -> each.contains("memory.budget to"))
            .findFirst()
            .orElseThrow();
    long budget = number(warning, "memory.budget to (\\d+)MB");
    assertTrue(given(budget * MB, heap, GB).warnings(MemoryConfig.of(budget * MB)).isEmpty());
    long fits = number(warning, "-Xmx(\\d+)m");
    assertTrue(
        given(1000 * MB, fits * MB, GB).warnings(config).stream()
            .noneMatch(each -> each.contains("for the JVM itself")),
        warning);
  }

  private static long number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), text);
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void whatWorkersAndTasksGetIsTheirShareAndNoMore() {
    for (long heap : new long[] {96 * MB, 300 * MB, 2 * GB, 40 * GB}) {
      for (int workers = 1; workers <= 8; workers *= 2) {
        for (int tasks = workers; tasks <= 64; tasks *= 4) {
          MemoryShares shares = MemoryShares.of(heap, heap / 3, workers);
          MemoryLimits limits = shares.limits(tasks);
          StateLimits ofTask = limits.ofTask();
          ClientMemory client = shares.client();
          assertEquals(heap, shares.heap());
          assertTrue(
              tasks * (ofTask.cacheBytes() + ofTask.committedShareBytes())
                  <= shares.objects() + shares.committed());
          assertTrue(tasks * ofTask.liveShareBytes() <= shares.live());
          // A live entry has two more forms while it is committed: pending, and on its way.
          assertTrue(shares.live() * 11 / 10 <= shares.committing());
          assertTrue(workers * limits.outboxBytes() <= shares.outbox());
          assertTrue(
              workers * (limits.fetchedBytes() + ClientMemory.ANSWERS_HELD * client.answerBytes())
                  <= Math.max(
                      shares.fetched(),
                      shares.waiting() + workers * ClientMemory.ANSWERS_HELD * (256L << 10)));
        }
      }
    }
  }

  @Test
  void whatHelpsNobodyGoesToTheObjects() {
    MemoryShares shares = MemoryShares.of(40 * GB, 10 * GB, 2);
    assertEquals(2 * 64 * MB, shares.sending());
    assertEquals(2 * 96 * MB, shares.fetched());
    StateLimits ofTask = shares.limits(4).ofTask();
    assertEquals(96 * MB, ofTask.committedShareBytes());
    assertTrue(ofTask.cacheBytes() > 7 * GB, ofTask::toString);
  }

  @Test
  void theProcessSaysWhatItHas() {
    ProcessMemory process = ProcessMemory.of(DERIVED);
    assertEquals(Runtime.getRuntime().maxMemory(), process.heap());
    assertTrue(process.limit() > 0 && process.limit() < Long.MAX_VALUE, process::toString);
    assertEquals(64 * MB, ProcessMemory.of(MemoryConfig.defaults().withLimit(64 * MB)).limit());
    assertEquals(
        process.limit(),
        ProcessMemory.of(MemoryConfig.defaults().withLimit(Long.MAX_VALUE)).limit());
    assertTrue(ProcessMemory.direct() >= 0);
  }
}
