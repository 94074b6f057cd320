package dev.millrace.benchmarks.localstate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoringTest {
  @Test
  void aChangelogIsComparedWithTheSameWithoutIt() {
    assertEquals(Optional.of(Storing.ON_DISK), Storing.ON_DISK_CHANGELOG.withoutChangelog());
    assertEquals(Optional.of(Storing.IN_MEMORY), Storing.IN_MEMORY_CHANGELOG.withoutChangelog());
    assertEquals(Optional.empty(), Storing.REMOTE.withoutChangelog());
  }

  @Test
  void aRequestForEachIsMadeForFewerRecords() {
    assertEquals(25_000, Storing.REMOTE_EACH.records(1_000_000));
    assertEquals(1, Storing.REMOTE_EACH.records(10));
    assertEquals(10, Storing.REMOTE.records(10));
  }

  @Test
  void aTaskIsReadAsItWasWritten() {
    StateTask task =
        new StateTask(
            "127.0.0.1:1",
            Access.READ_ONLY,
            Storing.REMOTE_EACH,
            "in",
            "out",
            Path.of("state"),
            1 << 20,
            20,
            100);
    assertEquals(task, StateTask.of(task.arguments().toArray(String[]::new)));
    StoreUse use = new StoreUse(12, 34);
    assertEquals(use, StoreUse.of(use.toString()));
  }
}
