package dev.millrace.benchmarks.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.process.CpuProfile.Cost;
import dev.millrace.benchmarks.process.CpuProfile.Samples;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuProfileTest {
  private static final long NANOS = 1_000_000_000L;

  /// A sample is taken where a thread next may be stopped, which may be in what it calls.
  private static final Set<String> TURNING =
      Set.of("CpuProfileTest.turn", "ThreadImpl.getCurrentThreadCpuTime");

  @TempDir private Path directory;

  private double sum;

  /// Takes this thread's processor time, all of it here.
  private void turn(long nanos) {
    var threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + nanos;
    while (threads.getCurrentThreadCpuTime() < end) {
      for (long i = 1; i < 200_000; i++) {
        sum += 1.0 / i;
      }
    }
  }

  @Test
  void aMethodHasTheTimeThatItTook() throws IOException {
    turn(NANOS / 10); // what is done before the begin does not count
    CpuProfile profile = CpuProfile.start();
    turn(NANOS);
    Path file = directory.resolve("some.jfr");
    profile.end(file);
    turn(NANOS / 10);
    List<Cost> costs = CpuProfile.costs(file);
    double turning =
        costs.stream()
            .filter(cost -> TURNING.contains(cost.what()))
            .mapToDouble(Cost::cpuSeconds)
            .sum();
    assertEquals(1.0, turning, 0.3, costs::toString);
    assertTrue(
        costs.stream().anyMatch(cost -> cost.what().equals("JIT compilers")), costs::toString);
    assertTrue(sum > 0);
    String name = getClass().getName();
    Samples here = CpuProfile.samples(file, name::equals);
    assertTrue(Math.abs(here.inside() - 100) <= 30, here::toString);
    assertTrue(here.all() >= here.inside(), here::toString);
    assertEquals(0, CpuProfile.samples(file, "nowhere"::equals).inside());
  }
}
