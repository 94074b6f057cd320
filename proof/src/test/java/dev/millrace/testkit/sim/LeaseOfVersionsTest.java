package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.lease.ContainerLease;
import dev.millrace.internal.engine.lease.ContainerLease.State;
import dev.millrace.internal.engine.lease.Holder;
import dev.millrace.internal.engine.lease.ProgramVersion;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelLog;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Containers whose programs are replaced one after the other by programs that read other streams.
class LeaseOfVersionsTest {
  private static final int CONTAINERS = 3;

  private final ModelLog log = log(1);

  /// It answers late, as every log does.
  private static ModelLog log(int seed) {
    ModelLog log = ModelLog.of(seed);
    log.createTopic(ContainerLease.topic("app"));
    Delay late = new Delay(1, Duration.ofMillis(5), Duration.ofMillis(20));
    log.faults(new Faults(late, 0, 0, 0, 0, Delay.NONE, Duration.ofSeconds(10)));
    return log;
  }

  private static ContainerLease ask(
      ModelLog log, String process, int container, ProgramVersion program, Predicate<Holder> dead) {
    return new ContainerLease(
        new ContainerLease.Request(
            "app",
            new Placement(container, CONTAINERS, 1, Placement.Groups.OF_WORKERS),
            program,
            new Holder(process, 1, log.clock().millis(), process, ""),
            dead,
            () -> true,
            false),
        log.client(process),
        log.clock());
  }

  private ContainerLease ask(String process, int container, ProgramVersion program) {
    return ask(log, process, container, program, holder -> false);
  }

  private void pass(Duration time, ContainerLease... leases) {
    for (long ms = 0; ms < time.toMillis(); ms += 50) {
      for (ContainerLease lease : leases) {
        lease.step();
      }
      log.advance(Duration.ofMillis(50));
    }
  }

  /// A program that reads more or less than the one before it.
  private static ProgramVersion program(int version, int... beside) {
    Set<String> others = new TreeSet<>();
    for (int each : beside) {
      others.add("reads-" + each);
    }
    return new ProgramVersion("plan-" + version, "reads-" + version, others);
  }

  @Test
  void aProgramThatReplacesAnotherRunsBesideItAndBothKnowOfEachOther() {
    ContainerLease first = ask("a", 0, program(1, 0));
    ContainerLease second = ask("b", 1, program(1, 0));
    pass(Duration.ofSeconds(3), first, second);
    assertEquals(Set.of(), first.otherVersions().keySet());
    second.release();
    pass(Duration.ofMillis(500), first, second);
    assertEquals(State.RELEASED, second.state());
    ContainerLease changed = ask("c", 1, program(2, 1));
    pass(Duration.ofMillis(300), first, changed);
    assertEquals(State.HELD, changed.state());
    pass(Duration.ofSeconds(3), first, changed);
    assertEquals(Set.of(1), first.otherVersions().keySet());
    assertEquals("plan-2", first.otherVersions().get(1).plan());
    assertEquals("plan-1", changed.otherVersions().get(0).plan());
    // What the first one does not replace, and is not replaced by, is refused.
    ContainerLease third = ask("d", 2, program(3, 2));
    pass(Duration.ofSeconds(7), first, changed, third);
    assertEquals(State.REFUSED, third.state());
    assertEquals(Set.of(0), third.differing().keySet());
    assertTrue(third.differingAlike());
    // The old program may come back beside the new one, as it is the one that was replaced.
    ContainerLease old = ask("e", 2, program(1, 2));
    pass(Duration.ofSeconds(3), first, changed, old);
    assertEquals(State.HELD, old.state());
    log.crash("c");
    pass(Duration.ofSeconds(10), first, old);
    assertEquals(Set.of(), first.otherVersions().keySet());
    assertEquals(Set.of(1), first.missing());
  }

  /// The container of a dead process that reads something else is waited for, until the first sign
  /// of life is in the log: those that do not fit this program waited for the other one's.
  @Test
  void aDeadHolderOfAnotherVersionDoesNotHoldOthersBack() {
    ContainerLease first = ask("a", 0, program(1));
    pass(Duration.ofSeconds(1), first);
    log.crash("a");
    ContainerLease second = ask(log, "b", 0, program(2, 1), holder -> holder.home().equals("a"));
    for (int i = 0; i < 100 && second.state() == State.READING; i++) {
      second.step();
      log.advance(Duration.ofMillis(1));
    }
    assertEquals(State.TAKING, second.state());
    assertFalse(second.ours());
    pass(Duration.ofMillis(300), second);
    assertTrue(second.ours());
  }

  /// Processes of three programs, each of which replaces the one before, start at once, are killed
  /// and started again. Whatever the order, no two run whose programs do not follow each other.
  @Test
  void noTwoRunWhoseProgramsDoNotFollowEachOther() {
    int together = 0;
    for (int seed = 0; seed < 200; seed++) {
      together += rollOut(seed, false);
    }
    assertTrue(together > 100, "Only under " + together + " seeds did two versions run.");
  }

  /// What the test above would find if a program were thought to replace all others.
  @Test
  void twoThatDoNotFollowEachOtherAreFound() {
    AssertionError found =
        assertThrows(
            AssertionError.class,
            () -> {
              for (int seed = 0; seed < 20; seed++) {
                rollOut(seed, true);
              }
            });
    String message = Objects.requireNonNull(found.getMessage());
    assertTrue(message.contains("runs beside"), message);
  }

  /// @param all whether each program is taken for one that replaces all others
  /// @return 1 if two versions ran at the same time, otherwise 0
  private static int rollOut(int seed, boolean all) {
    ModelLog each = log(seed);
    Random random = new Random(seed);
    ContainerLease[] leases = new ContainerLease[CONTAINERS];
    int[] versions = new int[CONTAINERS];
    int lives = 0;
    String[] processes = new String[CONTAINERS];
    int together = 0;
    for (int step = 0; step < 6_000; step++) {
      int container = random.nextInt(CONTAINERS);
      if (leases[container] == null || random.nextInt(500) == 0) {
        if (leases[container] != null && random.nextBoolean()) {
          each.crash(processes[container]);
        } else if (leases[container] != null) {
          leases[container].release();
        }
        processes[container] = container + "-" + ++lives;
        int version = random.nextInt(3);
        versions[container] = version;
        leases[container] =
            ask(
                each,
                processes[container],
                container,
                all ? program(version, 0, 1, 2) : program(version, version - 1, version + 1),
                holder -> random.nextBoolean() && holder.host().startsWith(container + "-"));
      }
      leases[container].step();
      each.advance(Duration.ofMillis(random.nextInt(30)));
      together = Math.max(together, apart(leases, versions, seed));
    }
    return together;
  }

  /// Returns how far the versions that run are apart.
  private static int apart(ContainerLease[] leases, int[] versions, int seed) {
    int most = 0;
    for (int one = 0; one < leases.length; one++) {
      for (int other = 0; other < one; other++) {
        if (ours(leases[one]) && ours(leases[other])) {
          int apart = Math.abs(versions[one] - versions[other]);
          assertTrue(
              apart <= 1,
              "Seed %d: version %d runs beside version %d."
                  .formatted(seed, versions[one], versions[other]));
          most = Math.max(most, apart);
        }
      }
    }
    return most;
  }

  private static boolean ours(@Nullable ContainerLease lease) {
    return lease != null && lease.ours();
  }
}
