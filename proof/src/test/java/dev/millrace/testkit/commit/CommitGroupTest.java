package dev.millrace.testkit.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.engine.commit.CommitGroup;
import dev.millrace.engine.commit.Failure;
import dev.millrace.engine.commit.GroupSettings;
import dev.millrace.engine.commit.Mailbox;
import dev.millrace.engine.commit.Order;
import dev.millrace.engine.commit.Protocol.State;
import dev.millrace.engine.commit.Report;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelLog;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A group whose two members are played by the test.
class CommitGroupTest {
  private static final Split CHANGELOG = new Split("changelog", 0);

  private final ModelLog log = ModelLog.of(1);
  private CommitGroup group;
  private Mailbox one;
  private Mailbox two;

  @BeforeEach
  void restoring() {
    log.createTopic("changelog", 1);
    GroupSettings settings =
        new GroupSettings(
            "app",
            "app-0",
            "app-",
            List.of("app-0"),
            List.of(CHANGELOG),
            Set.of(),
            Duration.ofMillis(100),
            Duration.ofMinutes(1));
    group = new CommitGroup(settings, log.client("container"), log.clock());
    one = group.join();
    two = group.join();
    settle();
    assertInstanceOf(Order.Restore.class, one.nextOrder());
    assertInstanceOf(Order.Restore.class, two.nextOrder());
    assertEquals(State.RESTORING, group.state());
  }

  private void settle() {
    while (group.step()) {
      log.advance();
    }
  }

  private static Report failed(Failure.Kind kind) {
    return new Report.Failed(new Failure(kind, "because of " + kind, null));
  }

  @Test
  void anUndisturbedRestoreIsFollowedByTheBeginning() {
    one.tell(new Report.Restored(Set.of()));
    settle();
    assertEquals(State.RESTORING, group.state());
    two.tell(new Report.Restored(Set.of()));
    settle();
    assertEquals(State.PROCESSING, group.state());
    assertInstanceOf(Order.Begin.class, one.nextOrder());
  }

  /// Found by the simulation: a process stood still while it restored, and meanwhile the cleaner
  /// removed from the changelog what its successor had written anew. So it restored no commit at
  /// all, but parts of several, and what it made of that was seen under at-least-once.
  @Test
  void whatAnotherWritesDuringARestoreHasItDoneAgain() {
    one.tell(new Report.Restored(Set.of()));
    log.append("changelog", 0, "key", "value", 0);
    two.tell(new Report.Restored(Set.of()));
    settle();
    assertInstanceOf(Order.RollBack.class, one.nextOrder());
    Order.Restore again = assertInstanceOf(Order.Restore.class, one.nextOrder());
    assertEquals(1, again.ends().get(CHANGELOG));
    assertNull(one.nextOrder(), "It began.");
    assertEquals(State.RESTORING, group.state());
  }

  /// Found by the simulation: a member ran out of space after its group had failed, and that was
  /// then told as the reason.
  @Test
  void whatFollowsAFailureIsNotItsReason() {
    one.tell(failed(Failure.Kind.FENCED));
    two.tell(failed(Failure.Kind.NO_SPACE));
    two.tell(failed(Failure.Kind.MENDABLE));
    settle();
    assertEquals(State.FAILED, group.state());
    assertNotNull(group.failure());
    assertEquals(Failure.Kind.FENCED, group.failure().kind());
  }

  @Test
  void failuresThatDoNotEndTellTheLastOfTheirReasons() {
    for (int i = 0; i < 5; i++) {
      two.tell(failed(Failure.Kind.MENDABLE));
      settle();
      assertInstanceOf(Order.RollBack.class, two.nextOrder());
      assertInstanceOf(Order.Restore.class, two.nextOrder());
      assertEquals(State.RESTORING, group.state());
    }
    two.tell(failed(Failure.Kind.MENDABLE));
    settle();
    assertEquals(State.FAILED, group.state());
    assertNotNull(group.failure());
    assertEquals("because of MENDABLE", group.failure().message());
  }
}
