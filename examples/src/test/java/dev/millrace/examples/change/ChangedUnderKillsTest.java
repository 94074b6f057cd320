package dev.millrace.examples.change;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One application on Kafka that is changed under steady input, one container after the other,
/// while its processes and the command are killed; all of its results are compared. The property
/// `millrace.changes.seeds` says how many courses are drawn, and `millrace.changes.seed` which one
/// is first.
@Order(1)
class ChangedUnderKillsTest {
  private static final long FIRST = Long.getLong("millrace.changes.seed", 1);
  private static final long SEEDS = Long.getLong("millrace.changes.seeds", 2);

  @TempDir private Path directory;

  static LongStream seeds() {
    return LongStream.range(FIRST, FIRST + SEEDS);
  }

  @Test
  void aChangeUnderKills() throws Exception {
    try (ChangeRun run = new ChangeRun(directory, FIRST)) {
      run.change(Version.FIELD_ADDED);
      run.end();
      System.out.println("changes: seed " + FIRST + ", " + run.report());
    }
  }

  @Tag("thorough")
  @ParameterizedTest
  @MethodSource("seeds")
  void eightChangesUnderKills(long seed) throws Exception {
    try (ChangeRun run = new ChangeRun(directory, seed)) {
      run.change(Version.OPERATOR_ADDED);
      run.change(Version.FIELD_ADDED);
      run.change(Version.OPERATOR_RENAMED);
      run.change(Version.WIDENED);
      run.enlarge();
      run.change(Version.OPERATOR_REMOVED);
      run.change(Version.MIGRATED);
      run.refused(Version.WINDOWED, "x ", "busy");
      run.changeAndRollBack(Version.OPERATOR_BACK);
      run.change(Version.OPERATOR_BACK);
      run.end();
      System.out.println("changes: seed " + seed + ", " + run.report());
      assertTrue(run.killed() > 10, "Hardly anything was killed.");
    }
  }
}
