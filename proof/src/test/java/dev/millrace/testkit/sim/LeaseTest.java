package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.engine.lease.ContainerLease;
import dev.millrace.engine.lease.ContainerLease.State;
import dev.millrace.engine.lease.Holder;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelLog;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The log answers late, as every log does: what is written and not waited for may never come.
class LeaseTest {
  private static final Delay LATE = new Delay(1, Duration.ofMillis(5), Duration.ofMillis(20));

  private final ModelLog log = ModelLog.of(1);

  @BeforeEach
  void answerLate() {
    log.createTopic(ContainerLease.topic("app"));
    log.faults(new Faults(LATE, 0, 0, 0, 0, Delay.NONE, Duration.ofSeconds(10)));
  }

  private ContainerLease ask(String process, Predicate<Holder> dead, boolean takeOver) {
    return new ContainerLease(
        new ContainerLease.Request(
            "app", 0, new Holder(process, 1, log.clock().millis(), process), dead, takeOver),
        log.client(process),
        log.clock());
  }

  private void pass(Duration time, ContainerLease... leases) {
    for (long ms = 0; ms < time.toMillis(); ms += 50) {
      for (ContainerLease lease : leases) {
        lease.step();
      }
      log.advance(Duration.ofMillis(50));
    }
  }

  /// Lets the holder go, and gives it the steps it may want until others know.
  private void release(ContainerLease holder) {
    holder.release();
    pass(Duration.ofMillis(500), holder);
    assertEquals(State.RELEASED, holder.state());
  }

  @Test
  void aContainerNobodyHoldsIsTakenAtOnce() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofMillis(300), first);
    assertEquals(State.HELD, first.state());
  }

  @Test
  void theSecondIsRefusedAndToldWhoHoldsItAndTheFirstGoesOn() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    ContainerLease second = ask("b", holder -> false, false);
    pass(Duration.ofSeconds(20), first, second);
    assertEquals(State.HELD, first.state());
    assertEquals(State.REFUSED, second.state());
    Holder other = second.other();
    assertNotNull(other);
    assertEquals("a", other.host());
  }

  @Test
  void aReleasedContainerIsTakenAtOnce() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    release(first);
    ContainerLease second = ask("b", holder -> false, false);
    pass(Duration.ofMillis(300), second);
    assertEquals(State.HELD, second.state());
  }

  @Test
  void aContainerIsReleasedInTheMiddleOfASignOfLife() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    log.advance(ContainerLease.BEAT);
    first.step(); // writes the sign, whose outcome is not known now
    release(first);
    ContainerLease second = ask("b", holder -> false, false);
    pass(Duration.ofMillis(300), second);
    assertEquals(State.HELD, second.state());
  }

  @Test
  void aContainerThatIsReleasedWhileAnotherWaitsIsTakenAtOnce() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    ContainerLease second = ask("b", holder -> false, false);
    pass(Duration.ofMillis(50), second);
    assertEquals(State.WATCHING, second.state());
    release(first);
    pass(Duration.ofMillis(300), second);
    assertEquals(State.HELD, second.state());
  }

  @Test
  void aDeadHolderIsWaitedForUnlessItIsKnownToBeDead() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    log.crash("a");
    ContainerLease second = ask("b", holder -> false, false);
    pass(Duration.ofSeconds(5), second);
    assertEquals(State.WATCHING, second.state());
    ContainerLease third = ask("c", holder -> holder.home().equals("a"), false);
    pass(Duration.ofMillis(300), third);
    assertEquals(State.HELD, third.state());
  }

  @Test
  void nothingIsWaitedForOnceTheLastHolderIsFoundDead() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    assertTrue(first.ours());
    log.crash("a");
    ContainerLease second = ask("b", holder -> holder.home().equals("a"), false);
    passUntilTaking(second);
    assertTrue(second.ours());
  }

  @Test
  void whoTakesAContainerThatAnotherHostMayWantWaitsUntilItIsHeld() {
    ContainerLease first = ask("a", holder -> false, false);
    passUntilTaking(first);
    assertFalse(first.ours());
    pass(Duration.ofMillis(300), first);
    assertTrue(first.ours());
    ContainerLease second = ask("b", holder -> false, true);
    passUntilTaking(second);
    assertFalse(second.ours());
  }

  private void passUntilTaking(ContainerLease lease) {
    for (int i = 0; i < 100 && lease.state() == State.READING; i++) {
      lease.step();
      log.advance(Duration.ofMillis(1));
    }
    assertEquals(State.TAKING, lease.state());
  }

  @Test
  void aDeadHoldersContainerIsFreeAfterAWhile() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    log.crash("a");
    ContainerLease second = ask("b", holder -> false, false);
    pass(Duration.ofSeconds(7), second);
    assertEquals(State.HELD, second.state());
  }

  @Test
  void takingOverEndsTheHolder() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    ContainerLease second = ask("b", holder -> false, true);
    pass(Duration.ofSeconds(5), first, second);
    assertEquals(State.HELD, second.state());
    assertEquals(State.LOST, first.state());
  }

  @Test
  void anOutageOfTheLogDoesNotCostTheContainer() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    log.cut("a");
    pass(Duration.ofMinutes(2), first);
    log.heal("a");
    pass(Duration.ofSeconds(10), first);
    assertEquals(State.HELD, first.state());
    ContainerLease second = ask("b", holder -> false, false);
    pass(Duration.ofSeconds(10), first, second);
    assertEquals(State.REFUSED, second.state());
  }

  @Test
  void aHolderThatWasCutOffGivesWayToTheOneThatTookTheContainerMeanwhile() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    log.cut("a");
    ContainerLease second = ask("b", holder -> false, false);
    pass(Duration.ofMinutes(2), first, second);
    assertEquals(State.HELD, second.state());
    log.heal("a");
    pass(Duration.ofSeconds(30), first, second);
    assertEquals(State.HELD, second.state());
    assertEquals(State.LOST, first.state());
  }

  @Test
  void aLogThatIsAwayAtTheStartIsWaitedFor() {
    log.cut("a");
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(30), first);
    log.heal("a");
    pass(Duration.ofSeconds(2), first);
    assertEquals(State.HELD, first.state());
  }
}
