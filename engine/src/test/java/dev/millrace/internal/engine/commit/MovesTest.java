package dev.millrace.internal.engine.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import dev.millrace.spi.settings.CommitConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tasks that come to a commit group, where what prepares them answers late.
class MovesTest {
  private static final int TASK = 3;
  private static final String ID = "app.a.0";
  private static final WriterId FIRST = new WriterId(ID, 7, 0);
  private static final WriterId SECOND = new WriterId(ID, 7, 1);
  private static final Succession.Ready READY = new Succession.Ready(List.of());

  private final Prepared prepared = new Prepared();
  private final Mailbox member = new Mailbox(() -> {});
  private final Moves moves =
      new Moves(
          new GroupSettings(
              "app",
              ID,
              "app.",
              new Split("app-claims", 0),
              "app-changelog",
              List.of(),
              0,
              _ -> false,
              prepared,
              _ -> false,
              CommitConfig.defaults()));

  private static final class Prepared implements Succession.Successor {
    private final List<Succession> begun = new ArrayList<>();
    private final List<Claim> dropped = new ArrayList<>();

    @Override
    public void succeed(Succession succession) {
      begun.add(succession);
    }

    @Override
    public void drop(Claim claim) {
      dropped.add(claim);
    }

    @Override
    public void opened(String transactionalId) {}
  }

  private Succession claim(WriterId writer) {
    moves.collect();
    moves.commit(writer, (_, _) -> {});
    moves.committed(writer, 10);
    return prepared.begun.getLast();
  }

  private void tell(Succession succession) {
    succession.told().accept(READY);
    moves.step();
  }

  private void assertComes() {
    assertFalse(moves.adopt());
    assertEquals(Set.of(), moves.owned());
    assertNull(member.nextOrder());
  }

  private void assertBegins() {
    assertTrue(moves.adopt());
    assertEquals(Set.of(TASK), moves.owned());
    assertEquals(new Order.Adopt(TASK), member.nextOrder());
  }

  /// The claim that it was prepared by is void: others may have claimed the task meanwhile.
  @Test
  void whatWasPreparedBeforeTheWriterWasOpenedAnewDoesNotCount() {
    moves.take(TASK, 5, true, member, FIRST);
    Succession first = claim(FIRST);
    moves.rolledBack();
    assertEquals(List.of(first.claim()), prepared.dropped);
    Succession second = claim(SECOND);
    tell(first);
    assertComes();
    tell(second);
    assertBegins();
  }

  @Test
  void whatWasPreparedBeforeTheTaskWasClaimedAnewDoesNotCount() {
    moves.take(TASK, 5, false, member, FIRST);
    Succession waiting = claim(FIRST);
    moves.take(TASK, 5, true, member, FIRST);
    Succession forced = claim(FIRST);
    assertEquals(List.of(waiting.claim()), prepared.dropped);
    tell(waiting);
    assertComes();
    tell(forced);
    assertBegins();
  }

  @Test
  void whatIsReadyIsDroppedIfTheTaskDoesNotComeAnyMore() {
    moves.take(TASK, 5, false, member, FIRST);
    Succession ready = claim(FIRST);
    tell(ready);
    moves.give(TASK, FIRST);
    assertEquals(List.of(ready.claim()), prepared.dropped);
    assertComes();
  }

  /// It was given away and taken again at once, but all went back to before that.
  @Test
  void whatIsOwnedStillDoesNotComeASecondTime() {
    moves.take(TASK, 5, true, member, FIRST);
    tell(claim(FIRST));
    assertBegins();
    moves.give(TASK, FIRST);
    moves.collect();
    moves.take(TASK, 6, true, member, FIRST);
    moves.rolledBack();
    moves.take(TASK, 7, true, member, SECOND);
    claim(SECOND);
    assertEquals(1, prepared.begun.size());
    assertEquals(Set.of(TASK), moves.owned());
    moves.give(TASK, SECOND);
    claim(SECOND);
    assertEquals(Set.of(), moves.owned());
  }
}
