package dev.millrace.internal.engine.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.Protocol.Action;
import dev.millrace.internal.engine.commit.Protocol.Event;
import dev.millrace.internal.engine.commit.Protocol.State;
import dev.millrace.internal.engine.commit.Protocol.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Walks every pair of state and event.
class ProtocolTest {
  private static final Set<State> FINAL = EnumSet.of(State.CLOSED, State.FAILED);
  private static final Set<State> SENT = EnumSet.of(State.COMMITTING, State.COMMITTING_LAST);

  private record Pair(State state, Event event, Transition transition) {}

  private static List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (State state : State.values()) {
      for (Event event : Event.values()) {
        pairs.add(new Pair(state, event, Protocol.on(state, event)));
      }
    }
    return pairs;
  }

  private static void forAll(Consumer<Pair> check) {
    List<Pair> pairs = pairs();
    assertEquals(State.values().length * Event.values().length, pairs.size());
    pairs.forEach(check);
  }

  @Test
  void theTableInTheDocumentationIsTheTableOfTheCode() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "architecture.md"));
    int start = page.indexOf("| state | ");
    assertTrue(start > 0, "docs/architecture.md has no table that starts with '| state | '");
    int end = page.indexOf("\n\n", start);
    assertEquals(table(), page.substring(start, end));
  }

  private static String table() {
    StringBuilder table = new StringBuilder("| state |");
    for (Event event : Event.values()) {
      table.append(' ').append(event).append(" |");
    }
    table.append("\n|---|").append("---|".repeat(Event.values().length));
    for (State state : State.values()) {
      table.append("\n| **").append(state).append("** |");
      for (Event event : Event.values()) {
        table.append(' ').append(cell(state, Protocol.on(state, event))).append(" |");
      }
    }
    return table.toString();
  }

  private static String cell(State state, Transition transition) {
    String action =
        switch (transition.action()) {
          case IMPOSSIBLE -> "–";
          case NONE -> transition.next() == state ? "ignored" : "";
          case DEFER -> "kept for later";
          default ->
              transition.action().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
        };
    return transition.next() == state ? action : (action + " → " + transition.next()).strip();
  }

  @Test
  void finalStatesAreNeverLeft() {
    forAll(pair -> {
      if (FINAL.contains(pair.state)) {
        assertEquals(pair.state, pair.transition.next(), pair.toString());
      }
    });
  }

  @Test
  void onlyAnAcknowledgementPublishes() {
    forAll(pair ->
        assertEquals(
            pair.transition.action() == Action.PUBLISH,
            pair.event == Event.ACKNOWLEDGED && SENT.contains(pair.state),
            pair.toString()));
  }

  @Test
  void onlyWhatIsCompleteIsSent() {
    forAll(pair -> {
      assertEquals(
          pair.transition.action() == Action.COMMIT,
          pair.event == Event.COLLECTED && pair.transition.action() != Action.IMPOSSIBLE,
          pair.toString());
      if (SENT.contains(pair.transition.next()) && !SENT.contains(pair.state)) {
        assertEquals(Action.COMMIT, pair.transition.action(), pair.toString());
      }
    });
  }

  @Test
  void whatWasSentIsNeverTakenForUndoneBeforeItsOutcomeIsKnown() {
    Set<Event> outcomes =
        EnumSet.of(Event.ACKNOWLEDGED, Event.ABORTED, Event.OUTCOME_UNKNOWN, Event.LOST);
    forAll(pair -> {
      if (SENT.contains(pair.state) && pair.transition.next() != pair.state) {
        assertTrue(outcomes.contains(pair.event), pair.toString());
      }
    });
  }

  @Test
  void whatWasSentBeforeItsCommitAndIsLostLeadsBack() {
    Set<State> sending = EnumSet.of(State.PROCESSING, State.COLLECTING, State.COLLECTING_LAST);
    Set<Event> losses = EnumSet.of(Event.ABORTED, Event.OUTCOME_UNKNOWN);
    Transition back = new Transition(Action.ROLL_BACK, State.FENCING);
    forAll(pair -> {
      if (losses.contains(pair.event)
          && (sending.contains(pair.state) || SENT.contains(pair.state))) {
        assertEquals(back, pair.transition, pair.toString());
      }
    });
  }

  @Test
  void nothingIsReadBeforeFencingIsCompleteAndNothingProcessedBeforeRestoring() {
    forAll(pair -> {
      if (pair.transition.next() == State.RESTORING && pair.state != State.RESTORING) {
        assertEquals(new Pair(State.FENCING, Event.FENCED_OTHERS, pair.transition), pair);
      }
      if (pair.transition.action() == Action.BEGIN) {
        assertEquals(State.RESTORING, pair.state, pair.toString());
      }
      if (pair.transition.next() == State.FENCING && pair.state != State.FENCING) {
        assertTrue(
            EnumSet.of(Action.ROLL_BACK, Action.FENCE_MORE).contains(pair.transition.action()),
            pair.toString());
      }
    });
  }

  @Test
  void aStopIsNeverForgotten() {
    forAll(pair -> {
      if (pair.event == Event.STOP && !FINAL.contains(pair.state)) {
        boolean ending =
            EnumSet.of(State.COLLECTING_LAST, State.COMMITTING_LAST, State.RELEASING, State.CLOSED)
                .contains(pair.transition.next());
        assertTrue(ending || pair.transition.action() == Action.DEFER, pair.toString());
      }
    });
  }

  @Test
  void aLossEndsEveryStateAndNothingElseFails() {
    forAll(pair -> {
      if (!FINAL.contains(pair.state)) {
        assertEquals(
            pair.event == Event.LOST, pair.transition.next() == State.FAILED, pair.toString());
      }
    });
  }

  @Test
  void everyStateIsReachedAndFromEachTheEndIsReached() {
    assertEquals(EnumSet.allOf(State.class), reachable(State.FENCING));
    for (State state : State.values()) {
      assertTrue(
          reachable(state).contains(State.CLOSED) || state == State.FAILED, state.toString());
    }
  }

  private static Set<State> reachable(State from) {
    Set<State> seen = EnumSet.of(from);
    Queue<State> queue = new ArrayDeque<>(seen);
    while (!queue.isEmpty()) {
      State state = queue.remove();
      for (Event event : Event.values()) {
        Transition transition = Protocol.on(state, event);
        if (transition.action() != Action.IMPOSSIBLE && seen.add(transition.next())) {
          queue.add(transition.next());
        }
      }
    }
    return seen;
  }
}
