package dev.millrace.testkit.job;

import dev.millrace.testkit.job.Counters.Keeping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// An application that has no constructor without parameters.
class JobInAFieldTest {
  @RegisterExtension
  static final MillraceExtension MILLRACE =
      MillraceExtension.of(() -> TestJob.of(new Counters(Keeping.IN_A_STORE)));

  @Test
  void theJobIsTheOneThatTheFieldMakes(TestJob job) {
    job.input("events").send("a", "x");
    job.output("counted").hasLatest("a", 1L);
  }
}
