package dev.millrace.testkit.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.GroupSettings;
import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A commit group may rest for long where nothing changes, because what changes wakes its thread.
class GroupWakeupTest {
  private final ModelLog log = ModelLog.of(1, ModelSettings.defaults());
  private final CommitGroup group =
      new CommitGroup(
          new GroupSettings(
              "app",
              "app-0",
              "app-",
              new Split("claims", 0),
              "changelog",
              List.of(0),
              0,
              _ -> false,
              null,
              _ -> false,
              CommitConfig.defaults()),
          log.client("container"),
          log.clock());
  private final Mailbox member = group.join();
  private int woken;

  @Test
  void aReportWakesWhoWaitsOnceAndWhoDoesNotWaitIsNotWoken() {
    group.wakeup(() -> woken++);
    member.tell(new Report.Published());
    assertEquals(0, woken, "It did not wait.");
    assertFalse(group.waits(), "There is a report already.");
    while (group.step()) {
      log.advance();
    }
    assertTrue(group.waits());
    member.tell(new Report.Changed());
    assertEquals(1, woken);
    member.tell(new Report.Changed());
    assertEquals(1, woken);
    group.waited();
    while (group.step()) {
      log.advance();
    }
    assertTrue(group.waits());
    group.waited();
    member.tell(new Report.Changed());
    assertEquals(1, woken, "It does not wait any more.");
    group.requestStop();
    assertEquals(2, woken);
  }
}
