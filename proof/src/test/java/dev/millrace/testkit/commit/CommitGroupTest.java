package dev.millrace.testkit.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.commit.GroupSettings;
import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Order;
import dev.millrace.internal.engine.commit.Protocol.State;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.testkit.Interposed;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A group whose two members are played by the test.
class CommitGroupTest {
  private static final Split CHANGELOG = new Split("changelog", 0);
  private static final Split CLAIMS = new Split("claims", 0);
  private static final Split INPUT = new Split("input", 0);

  private final ModelLog log = ModelLog.of(1, ModelSettings.defaults().withMarkers(Delay.NONE));
  private GroupSettings settings;
  private CommitGroup group;
  private Mailbox one;
  private Mailbox two;

  @BeforeEach
  void restoring() {
    log.createTopic("changelog", 1);
    log.createTopic("claims", 1);
    log.createTopic("input", 1);
    settings =
        new GroupSettings(
            "app",
            "app-0",
            "app-",
            CLAIMS,
            CHANGELOG.stream(),
            List.of(0),
            0,
            _ -> false,
            null,
            _ -> false,
            CommitConfig.defaults().withLatencyTarget(Duration.ofMillis(10)));
    group = new CommitGroup(settings, log.client("container"), log.clock());
    one = group.join();
    two = group.join();
    settle();
    assertInstanceOf(Order.Restore.class, one.nextOrder());
    assertInstanceOf(Order.Restore.class, two.nextOrder());
    assertEquals(State.RESTORING, group.state());
  }

  private void settle() {
    for (int idle = 0; idle < (group.state() == State.FENCING ? 20 : 1); idle++) {
      while (group.step()) {
        log.advance();
        idle = 0;
      }
      log.advance(group.state() == State.FENCING ? Duration.ofMillis(1) : Duration.ZERO);
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

  /// Found by the simulation: a process that stood still while it barred others was replaced by
  /// another one with its transactional id. It took the transaction of that one for its own, left
  /// behind, and aborted it in one partition, while its successor committed it in the others.
  @Test
  void theTransactionOfASuccessorIsNotAborted() {
    TransactionalWriter stranger = writing("stranger", "other");
    one.tell(failed(Failure.Kind.MENDABLE)); // fences again, and waits for the stranger
    settle();
    assertEquals(State.FENCING, group.state());
    log.advance(Duration.ofSeconds(20));
    TransactionalWriter successor = writing("successor", "app-0");
    for (int i = 0; i < 10; i++) {
      group.step();
      log.advance(Duration.ofMillis(200));
    }
    successor.commit();
    log.advance(Duration.ofSeconds(1));
    assertEquals(TransactionalWriter.Outcome.COMMITTED, successor.outcome());
    stranger.abort();
    log.advance(Duration.ofSeconds(1));
    assertEquals(1, log.records("changelog").size());
    assertEquals(State.FAILED, group.state());
  }

  /// A log that cannot bar writers, the first time that it is asked to.
  private Log barringFailsOnce() {
    AtomicBoolean failed = new AtomicBoolean();
    Log client = log.client("container-2");
    return Interposed.before(
        Log.class,
        client,
        (name, _, call) -> {
          if (name.equals("fence") && failed.compareAndSet(false, true)) {
            throw new LogException(LogException.Kind.UNAVAILABLE, "not now");
          }
          return call.go();
        });
  }

  @Test
  void noTransactionIsAbortedWhoseWriterCouldNotBeBarred() {
    writing("stranger", "other");
    group = new CommitGroup(settings, barringFailsOnce(), log.clock());
    Mailbox unused = group.join();
    settle();
    assertEquals(State.FENCING, group.state());
    log.advance(Duration.ofSeconds(20));
    TransactionalWriter another = writing("another", "app-9");
    for (int look = 0; look < 2; look++) {
      group.step();
      log.advance(Duration.ofMillis(200));
    }
    another.commit();
    log.advance(Duration.ofSeconds(1));
    assertEquals(TransactionalWriter.Outcome.FENCED, another.outcome());
    assertNull(unused.nextOrder());
  }

  /// A writer of another process that has a transaction open in the changelog.
  private TransactionalWriter writing(String process, String id) {
    TransactionalWriter writer = log.client(process).writer(id, Duration.ofMinutes(1));
    writer.open();
    writer.send(CHANGELOG, changes());
    return writer;
  }

  private static RecordBatch changes() {
    RecordBatch batch = new BatchPool().take(CHANGELOG, new byte[0], 0);
    batch.append(0, 0);
    return batch;
  }

  private void process() {
    one.tell(new Report.Restored(Set.of()));
    two.tell(new Report.Restored(Set.of()));
    settle();
    assertInstanceOf(Order.Begin.class, one.nextOrder());
    assertInstanceOf(Order.Begin.class, two.nextOrder());
  }

  /// Lets the group commit once.
  ///
  /// @param millis how long a member takes to hand over its part
  /// @param position up to which it has consumed
  /// @return how long the group waited before it
  private long commit(int millis, long position) {
    int waited = 0;
    one.tell(new Report.Changed());
    while (!(one.nextOrder() instanceof Order.Collect)) {
      log.advance(Duration.ofMillis(1));
      settle();
      waited++;
      assertTrue(waited <= 1_000, "There was no commit.");
    }
    assertInstanceOf(Order.Collect.class, two.nextOrder());
    two.tell(new Report.Part(List.of(), Map.of()));
    log.advance(Duration.ofMillis(millis));
    one.tell(new Report.Part(List.of(changes()), Map.of(INPUT, Position.of(position))));
    settle();
    assertInstanceOf(Order.Publish.class, one.nextOrder());
    assertInstanceOf(Order.Publish.class, two.nextOrder());
    one.tell(new Report.Published());
    two.tell(new Report.Published());
    return waited;
  }

  /// Records that are gone may have been read by another process that has taken over. Where none
  /// has, they are lost, however much is committed of other tasks until that is seen again.
  @Test
  void recordsThatAreGoneAreLostIfNobodyElseHasTakenOver() {
    process();
    two.tell(lost());
    settle();
    assertInstanceOf(Order.RollBack.class, one.nextOrder());
    assertInstanceOf(Order.RollBack.class, two.nextOrder());
    assertInstanceOf(Order.Restore.class, one.nextOrder());
    assertInstanceOf(Order.Restore.class, two.nextOrder());
    process();
    commit(3, 1);
    two.tell(lost());
    settle();
    assertEquals(State.FAILED, group.state());
    assertNotNull(group.failure());
    assertEquals("records are gone", group.failure().message());
  }

  private static Report lost() {
    LogException cause = new LogException(LogException.Kind.POSITION_LOST, "position 3 is lost");
    return new Report.Failed(new Failure(Failure.Kind.SETUP, "records are gone", cause));
  }

  @Test
  void theTimeBetweenCommitsFollowsFromHowLongTheyTake() {
    process();
    assertEquals(10, commit(3, 1));
    assertEquals(4, commit(3, 2));
    for (int i = 0; i < 50; i++) {
      commit(30, i);
    }
    assertEquals(30, commit(30, 60));
    for (int i = 0; i < 50; i++) {
      commit(300, i);
    }
    assertEquals(100, commit(300, 120));
  }

  @Test
  void aGroupFarBehindItsInputCommitsAtTheInterval() {
    process();
    commit(3, 1);
    two.tell(new Report.Behind(true));
    one.tell(new Report.Behind(true));
    assertEquals(100, commit(3, 2));
    two.tell(new Report.Behind(false));
    assertEquals(100, commit(3, 3));
    one.tell(new Report.Behind(false));
    assertEquals(4, commit(3, 4));
    one.tell(new Report.Behind(true));
    one.tell(failed(Failure.Kind.MENDABLE));
    settle();
    assertInstanceOf(Order.RollBack.class, one.nextOrder());
    assertInstanceOf(Order.Restore.class, one.nextOrder());
    assertInstanceOf(Order.RollBack.class, two.nextOrder());
    assertInstanceOf(Order.Restore.class, two.nextOrder());
    process();
    assertEquals(4, commit(3, 5));
  }

  @Test
  void positionsAreShownOnceAnInterval() {
    process();
    commit(3, 1);
    assertEquals(Map.of(INPUT, 1L), log.committedPositions("app"));
    long nanos = log.clock().nanos();
    long position = 1;
    while (log.committedPositions("app").equals(Map.of(INPUT, 1L))) {
      position++;
      commit(3, position);
    }
    long millis = Duration.ofNanos(log.clock().nanos() - nanos).toMillis();
    assertTrue(millis >= 100 && millis <= 110, millis + " ms");
    assertEquals(Map.of(INPUT, position), log.committedPositions("app"));
  }

  @Test
  void theLastCommitShowsPositions() {
    process();
    commit(3, 1);
    commit(3, 2);
    assertEquals(Map.of(INPUT, 1L), log.committedPositions("app"));
    group.requestStop();
    commit(3, 3);
    assertEquals(Map.of(INPUT, 3L), log.committedPositions("app"));
  }
}
