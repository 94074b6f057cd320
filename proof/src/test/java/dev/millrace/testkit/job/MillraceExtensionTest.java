package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@MillraceTest(value = Words.class, partitions = 1)
class MillraceExtensionTest {
  private static final List<TestJob> SEEN = new ArrayList<>();

  private TestJob before;

  @BeforeEach
  void send(TestJob job) {
    before = job;
    SEEN.forEach(other -> assertNotSame(job, other));
    SEEN.add(job);
  }

  @AfterAll
  static void everyJobWasClosed() {
    assertEquals(3, SEEN.size());
    SEEN.forEach(job -> assertThrows(IllegalStateException.class, job::process));
  }

  @Test
  void aTestAndWhatComesBeforeItHaveTheSameJob(TestJob job) {
    assertSame(before, job);
    job.input("lines").send("the mill");
    job.output("word-counts").hasLatest("mill", 1L);
    assertTrue(job.situation().contains("'words'"), job.situation());
  }

  @Test
  @MillraceTest(value = Words.class, seed = 5)
  void theOneOnTheMethodWins(TestJob job) {
    assertTrue(job.situation().contains("seed 5"), job.situation());
  }

  @Nested
  class ANestedClass {
    @Test
    void hasThatOfItsOuterClass(TestJob job) {
      Throwable failed = new AssertionError("something");
      assertSame(failed, MillraceExtension.withSituation(failed, job));
      assertTrue(failed.getSuppressed()[0].getMessage().contains(".seed(1)"));
    }
  }
}
