package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.lease.ContainerLease;
import dev.millrace.internal.engine.lease.ContainerLease.State;
import dev.millrace.internal.engine.lease.Holder;
import dev.millrace.internal.engine.lease.OtherContainers;
import dev.millrace.internal.engine.lease.ProgramVersion;
import dev.millrace.internal.engine.lease.SignOfLife;
import dev.millrace.internal.engine.lease.StateReport;
import dev.millrace.internal.engine.lease.StateReports;
import dev.millrace.internal.engine.plan.StateSizes;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The log answers late, as every log does: what is written and not waited for may never come.
class LeaseTest {
  private static final Delay LATE = new Delay(1, Duration.ofMillis(5), Duration.ofMillis(20));

  private static final ProgramVersion SAME = new ProgramVersion("", "", Set.of());

  private final ModelLog log = ModelLog.of(1);

  @BeforeEach
  void answerLate() {
    log.createTopic(ContainerLease.topic("app"));
    log.faults(new Faults(LATE, 0, 0, 0, 0, Delay.NONE, Duration.ofSeconds(10)));
  }

  private ContainerLease ask(String process, Predicate<Holder> dead, boolean takeOver) {
    return ask(process, Placement.single(1), dead, takeOver);
  }

  private ContainerLease ask(String process, Placement placement) {
    return ask(process, placement, holder -> false, false);
  }

  private ContainerLease ask(
      String process, Placement placement, Predicate<Holder> dead, boolean takeOver) {
    return ask(process, placement, dead, () -> true, takeOver);
  }

  private ContainerLease ask(
      String process,
      Placement placement,
      Predicate<Holder> dead,
      BooleanSupplier ready,
      boolean takeOver) {
    return ask(process, placement, SAME, dead, ready, takeOver);
  }

  private ContainerLease reading(String process, Placement placement, String inputs) {
    ProgramVersion program = new ProgramVersion(inputs, inputs, Set.of());
    return ask(process, placement, program, holder -> false, () -> true, false);
  }

  private ContainerLease ask(
      String process,
      Placement placement,
      ProgramVersion program,
      Predicate<Holder> dead,
      BooleanSupplier ready,
      boolean takeOver) {
    return new ContainerLease(
        new ContainerLease.Request(
            "app",
            placement,
            program,
            new Holder(process, 1, log.clock().millis(), process, ""),
            dead,
            ready,
            takeOver),
        log.client(process),
        log.clock());
  }

  private static Placement place(int container, int containers) {
    return place(container, containers, 1);
  }

  private static Placement place(int container, int containers, int workers) {
    return new Placement(container, containers, workers, Placement.Groups.OF_WORKERS);
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
  void aHolderTellsOfItsStateEveryHalfMinuteAndAtItsEnd() {
    Map<Integer, Long> bytes = new TreeMap<>(Map.of(1, 10L));
    ContainerLease first = ask("a", holder -> false, false);
    first.reports(() -> new StateReport(0, 1, 0, new TreeMap<>(bytes)));
    pass(Duration.ofSeconds(26), first);
    assertFalse(sizes().isKnown());
    pass(Duration.ofSeconds(6), first);
    assertEquals(Map.of(1, 10L), sizes().bytes());
    bytes.put(1, 20L);
    release(first);
    assertEquals(Map.of(1, 20L), sizes().bytes());
    ContainerLease second = ask("b", holder -> false, false);
    second.reports(() -> null);
    pass(Duration.ofMillis(300), second);
    assertEquals(State.HELD, second.state());
    release(second);
    assertEquals(Map.of(1, 20L), sizes().bytes());
  }

  private StateSizes sizes() {
    return StateReports.sizes("app", log.client("reader"), log.clock(), () -> {});
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

  @Test
  void anotherNumberOfContainersIsRefusedAndThoseWhoLiveAreNamed() {
    ContainerLease first = ask("a", place(0, 2));
    ContainerLease second = ask("b", place(1, 2));
    pass(Duration.ofSeconds(3), first, second);
    for (int container = 0; container < 3; container++) {
      ContainerLease third = ask("c" + container, place(container, 3));
      pass(Duration.ofSeconds(10), first, second, third);
      assertEquals(State.REFUSED, third.state());
      assertEquals(Set.of(0, 1), third.differing().keySet());
      SignOfLife sign = third.differing().get(1);
      assertEquals("b", sign.holder().host());
      assertEquals(2, sign.containers());
    }
    assertEquals(State.HELD, first.state());
    assertEquals(State.HELD, second.state());
  }

  @Test
  void anotherNumberOfWorkersIsRefused() {
    ContainerLease first = ask("a", place(0, 2, 1));
    pass(Duration.ofSeconds(3), first);
    ContainerLease second = ask("b", place(1, 2, 2));
    pass(Duration.ofSeconds(10), first, second);
    assertEquals(State.HELD, first.state());
    assertEquals(State.REFUSED, second.state());
  }

  @Test
  void nobodyTakesOverAContainerWhileOthersRunUnderAnotherPlacement() {
    ContainerLease first = ask("a", place(0, 2));
    ContainerLease second = ask("b", place(1, 2));
    pass(Duration.ofSeconds(3), first, second);
    ContainerLease third = ask("c", place(0, 3), holder -> false, true);
    pass(Duration.ofSeconds(10), first, second, third);
    assertEquals(State.REFUSED, third.state());
    assertEquals(State.HELD, first.state());
    assertEquals(State.HELD, second.state());
  }

  @Test
  void thoseWhoAreGoneHinderNobodyFromAnotherPlacement() {
    ContainerLease first = ask("a", place(0, 2));
    ContainerLease second = ask("b", place(1, 2));
    pass(Duration.ofSeconds(3), first, second);
    release(first);
    log.crash("b");
    ContainerLease third = ask("c", place(0, 3));
    pass(Duration.ofSeconds(5), third);
    assertEquals(State.WATCHING, third.state());
    pass(Duration.ofSeconds(2), third);
    assertEquals(State.HELD, third.state());
    ContainerLease fourth = ask("d", place(2, 3));
    pass(Duration.ofSeconds(7), third, fourth);
    assertEquals(State.HELD, fourth.state());
  }

  @Test
  void whoReadsOtherStreamsIsRefusedWhileAnyoneRunsAndNobodyIsDisturbed() {
    ContainerLease first = reading("a", place(0, 2), "ab");
    pass(Duration.ofSeconds(1), first);
    assertEquals(State.HELD, first.state());
    ContainerLease other = reading("b", place(1, 2), "abc");
    pass(Duration.ofSeconds(7), first, other);
    assertEquals(State.REFUSED, other.state());
    assertEquals(Set.of(0), other.differing().keySet());
    assertTrue(other.differingAlike());
    assertEquals(State.HELD, first.state());
    ContainerLease same = reading("c", place(1, 2), "ab");
    pass(Duration.ofSeconds(7), first, same);
    assertEquals(State.HELD, same.state());
    assertTrue(new OtherContainers("app", 0, log, log.clock()).mayRun());
    first.release();
    same.release();
    pass(Duration.ofSeconds(1), first, same);
    assertFalse(new OtherContainers("app", 0, log, log.clock()).mayRun());
    ContainerLease after = reading("d", place(1, 2), "abc");
    pass(Duration.ofSeconds(1), after);
    assertEquals(State.HELD, after.state());
  }

  /// Whatever the order of their steps, all that get their containers have the same placement, and
  /// at least one does.
  @Test
  void ofProcessesThatStartTogetherThoseOfOnePlacementGoOn() {
    for (int seed = 0; seed < 200; seed++) {
      ModelLog each = ModelLog.of(1);
      each.createTopic(ContainerLease.topic("app"));
      each.faults(new Faults(LATE, 0, 0, 0, 0, Delay.NONE, Duration.ofSeconds(10)));
      Random random = new Random(seed);
      List<ContainerLease> all = new ArrayList<>();
      List<Placement> placements = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int containers = 2 + random.nextInt(2);
        Placement placement = place(i % containers, containers);
        Holder self = new Holder("p" + i, 1, i, "p" + i, "");
        placements.add(placement);
        all.add(
            new ContainerLease(
                new ContainerLease.Request(
                    "app", placement, SAME, self, holder -> false, () -> true, false),
                each.client("p" + i),
                each.clock()));
      }
      for (int step = 0; step < 20_000; step++) {
        if (step < 300) {
          all.get(random.nextInt(all.size())).step();
          each.advance(Duration.ofMillis(random.nextInt(3)));
        } else {
          all.get(step % all.size()).step();
          each.advance(Duration.ofMillis(2));
        }
        String found = "Seed " + seed + ", step " + step + ": " + states(all, placements);
        assertTrue(running(all, placements).size() <= 1, found);
      }
      assertEquals(
          1, running(all, placements).size(), "Seed " + seed + ": " + states(all, placements));
    }
  }

  private static Set<String> running(List<ContainerLease> all, List<Placement> placements) {
    Set<String> running = new TreeSet<>();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).ours()) {
        running.add(placements.get(i).text());
      }
    }
    return running;
  }

  private static String states(List<ContainerLease> all, List<Placement> placements) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      text.append(placements.get(i)).append(' ').append(all.get(i).state()).append(' ');
    }
    return text.toString();
  }

  @Test
  void aContainerIsTakenFromNobodyBeforeTheRestIsReady() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    AtomicBoolean ready = new AtomicBoolean();
    ContainerLease second = ask("b", Placement.single(1), holder -> false, ready::get, true);
    pass(Duration.ofSeconds(20), first, second);
    assertEquals(State.BLOCKED, second.state());
    assertEquals(State.HELD, first.state());
    ready.set(true);
    pass(Duration.ofSeconds(5), first, second);
    assertEquals(State.HELD, second.state());
    assertEquals(State.LOST, first.state());
  }

  @Test
  void aHolderThatStoodStillGoesOnIfTheOtherWasNotReady() {
    ContainerLease first = ask("a", holder -> false, false);
    pass(Duration.ofSeconds(1), first);
    ContainerLease second = ask("b", Placement.single(1), holder -> false, () -> false, false);
    pass(Duration.ofSeconds(10), second);
    assertEquals(State.BLOCKED, second.state());
    pass(Duration.ofSeconds(10), first, second);
    assertEquals(State.HELD, first.state());
    assertEquals(State.REFUSED, second.state());
  }

  @Test
  void whoRunsHearsWhichContainersNobodyRuns() {
    ContainerLease first = ask("a", place(0, 3));
    pass(Duration.ofSeconds(4), first);
    assertEquals(Set.of(), first.missing());
    pass(Duration.ofSeconds(5), first);
    assertEquals(Set.of(1, 2), first.missing());
    ContainerLease second = ask("b", place(1, 3));
    ContainerLease third = ask("c", place(2, 3));
    pass(Duration.ofSeconds(9), first, second, third);
    assertEquals(Set.of(), first.missing());
    assertEquals(Set.of(), second.missing());
    release(second);
    log.crash("c");
    pass(Duration.ofSeconds(10), first);
    assertEquals(Set.of(1, 2), first.missing());
    ContainerLease again = ask("d", place(1, 3));
    pass(Duration.ofSeconds(3), first, again);
    assertEquals(Set.of(2), first.missing());
  }

  @Test
  void nobodyIsMissingBecauseTheLogWasAwayOrAProcessStoodStill() {
    ContainerLease first = ask("a", place(0, 2));
    ContainerLease second = ask("b", place(1, 2));
    pass(Duration.ofSeconds(4), first, second);
    log.cut("a");
    log.cut("b");
    for (int i = 0; i < 60; i++) {
      pass(Duration.ofSeconds(1), first, second);
      assertEquals(Set.of(), first.missing());
    }
    log.heal("a");
    log.heal("b");
    for (int i = 0; i < 60; i++) {
      pass(Duration.ofSeconds(1), first, second);
      assertEquals(Set.of(), first.missing());
    }
    pass(Duration.ofMinutes(1), second);
    for (int i = 0; i < 60; i++) {
      pass(Duration.ofMillis(100), first, second);
      assertEquals(Set.of(), first.missing());
    }
  }
}
