package dev.millrace.internal.yarn.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.yarn.fleet.FleetPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobSpecTest {
  @Test
  void whatIsWrittenIsReadAgain() {
    JobSpec job =
        new JobSpec(
            "counting",
            12,
            2_048,
            3,
            "exec 'java' 'ü=\\ # !'",
            new TreeMap<>(Map.of("A", "1=2", "B_C", "")),
            List.of(
                new JobFile("a.jar", "hdfs://host:1/x|y/a.jar", 10, 1_700_000_000_000L, false),
                new JobFile("b", "hdfs://host:1/b", 11, 1, true)),
            List.of("one", "two"),
            true,
            FleetPolicy.defaults().withAffinityWait(Duration.ofMillis(1_500)).withFailures(4, 5));
    assertEquals(job, JobSpec.of(job.text()));
  }

  @Test
  void whatIsMissingIsNamed() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> JobSpec.of("name=x\n"));
    assertTrue(e.getMessage().contains("affinity-wait"), e.getMessage());
  }
}
