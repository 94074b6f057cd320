package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.ApplicationNames;
import dev.millrace.internal.engine.versions.Deployment;
import dev.millrace.internal.engine.versions.Deployments;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.internal.engine.versions.VersionLog.State;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.log.ModelSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Processes of one application that start at once, by plans that may differ, and crash.
class VersionLogTest {
  private static final ApplicationName APP = ApplicationName.of("app");
  private static final String TOPIC = "app-versions";
  private static final int PROCESSES = 3;
  private static final int STEPS = 20_000;

  private static PlanDescription plan(String size, String code) {
    return new PlanDescription(
        List.of(
            new Part(Kind.APPLICATION, "app", Parameters.NONE),
            new Part(Kind.OPERATOR, "c", Parameters.of("windows").with("size", size)),
            new Part(Kind.EXCHANGE, "by-x", Parameters.NONE.withCode("key", code))));
  }

  /// A process, as a start is: it checks, and records if it must.
  private static final class Starting {
    private final ModelLog log;
    private final PlanDescription plan;
    private final String accepted;
    private final String name;
    private int lives;
    private VersionLog versions;
    private boolean refused;

    Starting(ModelLog log, String name, PlanDescription plan, String accepted) {
      this.log = log;
      this.name = name;
      this.plan = plan;
      this.accepted = accepted;
      versions = begin();
    }

    private VersionLog begin() {
      lives++;
      return new VersionLog(APP, _ -> plan, accepted, log.client(process()), log.clock());
    }

    private String process() {
      return name + "-" + lives;
    }

    void crash() {
      log.crash(process());
      versions = begin();
    }

    boolean isDone() {
      return refused || mayRun();
    }

    boolean mayRun() {
      return versions.state() == State.RECORDED
          || (versions.state() == State.CHECKED && versions.isRecorded());
    }

    void step() {
      try {
        if (versions.state() == State.CHECKED) {
          versions.propose();
        } else {
          versions.step();
        }
      } catch (PlanRefusedException e) {
        refused = true;
        versions.close();
      } catch (LogException e) {
        assertEquals(LogException.Kind.UNAVAILABLE, e.kind());
        crash();
      }
    }
  }

  private static ModelLog log(long seed) {
    ModelLog log = ModelLog.of(seed);
    log.createTopic(VersionLog.topic("app"));
    return log;
  }

  /// Has all of them go on until they run or are refused.
  private static void run(ModelLog log, Seed seed, double crashes, List<Starting> processes) {
    for (int step = 0; step < STEPS; step++) {
      Starting next = processes.get(seed.below(processes.size()));
      if (!next.isDone()) {
        if (seed.chance(crashes)) {
          next.crash();
        } else {
          next.step();
        }
      }
      if (processes.stream().allMatch(Starting::isDone)) {
        return;
      }
      log.advance(Duration.ofMillis(seed.below(20)));
      if (step == STEPS / 2) {
        log.calm();
      }
    }
    throw new AssertionError("They never come to an end.");
  }

  private static Set<String> recorded(ModelLog log) {
    Set<String> plans = new LinkedHashSet<>();
    for (ModelRecord record : log.records(TOPIC)) {
      if (String.valueOf(record.keyText()).startsWith("plan/")) {
        plans.add(String.valueOf(record.valueText()));
      }
    }
    return plans;
  }

  private static List<String> keys(ModelLog log) {
    return log.records(TOPIC).stream()
        .map(record -> String.valueOf(record.keyText()).split("/", 2)[0])
        .toList();
  }

  private static Deployments deployments(ModelLog log, String process) {
    return new Deployments(
        APP, log.client(process), log.clock(), () -> log.advance(Duration.ofMillis(5)));
  }

  /// Ends the change that is being rolled out.
  private static void finish(ModelLog log) {
    Deployments deployments = deployments(log, "deploy" + log.clock().nanos());
    assertTrue(
        deployments.finish(Objects.requireNonNull(deployments.recorded().deployment()), _ -> true));
    log.advance(Duration.ofSeconds(1));
  }

  @Test
  void ofSeveralThatStartAtOnceOnePlanIsRecordedAndAllOthersAreRefused() {
    Set<String> winners = new LinkedHashSet<>();
    EachSeed.run(
        1,
        500,
        number -> {
          Seed seed = new Seed(number);
          ModelLog log = log(number);
          log.faults(Faults.drawn(seed));
          List<Starting> processes = new ArrayList<>();
          for (int i = 0; i < PROCESSES; i++) {
            processes.add(new Starting(log, "p" + i, plan(seed.coin() ? "1m" : "2m", "f"), ""));
          }
          run(log, seed, 0.02, processes);
          Set<String> plans = recorded(log);
          assertEquals(1, plans.size());
          for (Starting process : processes) {
            assertEquals(plans.contains(process.plan.text()), process.mayRun());
          }
          winners.addAll(plans);
        });
    assertEquals(2, winners.size());
  }

  /// What is committed is visible a moment later, which the next process does not miss.
  @Test
  void aPlanThatWasCommittedJustBeforeIsSeen() {
    EachSeed.run(
        1,
        500,
        number -> {
          Seed seed = new Seed(number);
          ModelLog log =
              ModelLog.of(
                  number, ModelSettings.defaults().withMarkers(Delay.upTo(Duration.ofMillis(200))));
          log.createTopic(VersionLog.topic("app"));
          Starting first = new Starting(log, "first", plan("1m", "f"), "");
          run(log, seed, 0, List.of(first));
          Starting second = new Starting(log, "second", plan("2m", "f"), "");
          run(log, seed, 0, List.of(second));
          assertTrue(first.mayRun());
          assertFalse(second.mayRun());
          assertEquals(Set.of(plan("1m", "f").text()), recorded(log));
        });
  }

  /// A change is accepted from one plan to another one: of two that start at once, the second is
  /// another change.
  @Test
  void ofTwoAcceptedChangesOneIsRecorded() {
    PlanDescription old = plan("1m", "f");
    Set<String> winners = new LinkedHashSet<>();
    EachSeed.run(
        1,
        500,
        number -> {
          Seed seed = new Seed(number);
          ModelLog log = log(number);
          start(log, seed, old, "");
          log.faults(Faults.drawn(seed));
          List<Starting> processes = new ArrayList<>();
          for (String code : List.of("g", "h")) {
            PlanDescription changed = plan("1m", code);
            processes.add(new Starting(log, code, changed, PlanDiff.between(old, changed).id()));
          }
          run(log, seed, 0.02, processes);
          Set<String> plans = recorded(log);
          assertEquals(2, plans.size());
          for (Starting process : processes) {
            assertEquals(plans.contains(process.plan.text()), process.mayRun());
          }
          winners.addAll(plans);
        });
    assertEquals(3, winners.size());
  }

  @Test
  void whatIsAcceptedIsRecordedAndTheOldOneIsRefusedOnceThatIsFinal() {
    PlanDescription old = plan("1m", "f");
    PlanDescription changed = plan("1m", "g");
    PlanDescription resized = plan("2m", "f");
    ModelLog log = log(1);
    Seed seed = new Seed(1);
    assertTrue(start(log, seed, old, "").mayRun());
    assertTrue(start(log, seed, changed, "").refused);
    String code = PlanDiff.between(old, changed).id();
    assertTrue(start(log, seed, changed, code).mayRun());
    List<String> opened = List.of("plan", "plan", "deployment");
    assertEquals(opened, keys(log));
    assertTrue(start(log, seed, changed, "").mayRun());
    // Until the change is finalized, the old one may be returned to.
    assertTrue(start(log, seed, old, "").mayRun());
    assertEquals(opened, keys(log));
    finish(log);
    assertTrue(start(log, seed, old, "").refused);
    assertTrue(start(log, seed, old, code).refused);
    // Nothing but code can be accepted.
    String other = PlanDiff.between(changed, resized).id();
    assertTrue(start(log, seed, resized, other).refused);
    assertEquals(2, recorded(log).size());
    // The last one counts, whatever its key.
    assertTrue(start(log, seed, old, PlanDiff.between(changed, old).id()).mayRun());
    log.clean(new Split(TOPIC, 0));
    assertTrue(start(log, seed, old, "").mayRun());
    finish(log);
    assertTrue(start(log, seed, changed, "").refused);
  }

  /// A rollback records the plan before, and the change has to be accepted again.
  @Test
  void aChangeThatIsRolledBackIsAcceptedAgain() {
    PlanDescription old = plan("1m", "f");
    PlanDescription changed = plan("1m", "g");
    String code = PlanDiff.between(old, changed).id();
    EachSeed.run(
        1,
        100,
        number -> {
          Seed seed = new Seed(number);
          ModelLog log = log(number);
          start(log, seed, old, "");
          start(log, seed, changed, code);
          Deployments deployments = deployments(log, "deploy");
          Deployment open = Objects.requireNonNull(deployments.recorded().deployment());
          assertTrue(deployments.rollBack(open));
          log.advance(Duration.ofSeconds(1));
          assertFalse(deployments.rollBack(open));
          assertEquals(old, deployments.recorded().plan());
          assertTrue(start(log, seed, old, "").mayRun());
          assertTrue(start(log, seed, changed, "").refused);
          assertTrue(start(log, seed, changed, code).mayRun());
          assertFalse(deployments.finish(open, _ -> true));
        });
  }

  /// A process of the former program shows that it lives and then asks; whoever finalizes says so
  /// and then looks who lives. One begins while the other waits: never do both go on.
  @Test
  void aFormerProgramDoesNotStartWhileItsChangeIsFinalized() {
    PlanDescription old = plan("1m", "f");
    PlanDescription changed = plan("1m", "g");
    Set<String> outcomes = new LinkedHashSet<>();
    EachSeed.run(
        1,
        300,
        number -> {
          Seed seed = new Seed(number);
          ModelLog log = log(number);
          start(log, seed, old, "");
          start(log, seed, changed, PlanDiff.between(old, changed).id());
          Race race = new Race(log, seed);
          if (seed.coin()) {
            race.finish();
            race.start();
          } else {
            race.start();
            race.finish();
          }
          assertFalse(race.finished && race.runs, "finalized while the former program starts");
          outcomes.add("finished " + race.finished + ", runs " + race.runs);
        });
    assertTrue(
        outcomes.containsAll(List.of("finished true, runs false", "finished false, runs true")),
        outcomes.toString());
  }

  /// Found by the simulation: a process found that its program is the current one, stood still
  /// until another one was accepted and the change finalized, and then began, and could not read
  /// what was written since.
  @Test
  void aCurrentProgramDoesNotBeginOnceAnotherOneIsFinal() {
    PlanDescription old = plan("1m", "f");
    PlanDescription changed = plan("1m", "g");
    Seed seed = new Seed(1);
    ModelLog log = log(1);
    start(log, seed, old, "");
    ApplicationNames.Found known = known(log);
    assertTrue(mayBegin(log, known, old), "Nothing has changed.");
    start(log, seed, changed, PlanDiff.between(old, changed).id());
    assertTrue(mayBegin(log, known, old), "The change can be rolled back.");
    assertTrue(mayBegin(log, known, changed), "It is the current one.");
    finish(log);
    assertFalse(mayBegin(log, known, old), "It is neither the current one nor the one before.");
    assertTrue(mayBegin(log, known, changed), "It is the current one.");
  }

  private static ApplicationNames.Found known(ModelLog log) {
    return new ApplicationNames.Found(APP, deployments(log, "looks").recorded());
  }

  private static boolean mayBegin(
      ModelLog log, ApplicationNames.Found known, PlanDescription plan) {
    log.advance(Duration.ofSeconds(1));
    return VersionLog.mayBegin(
        known, plan, log.client("begins"), log.clock(), () -> log.advance(Duration.ofMillis(1)));
  }

  /// A start of the former program and the end of its change, of which one begins anywhere within
  /// the other.
  private static final class Race {
    private final ModelLog log;
    private final Seed seed;
    private final Deployments deployments;
    private final ApplicationNames.Found known;
    private final Deployment open;
    private final PlanDescription former;
    private boolean isFinishing;
    private boolean isStarting;
    private boolean lives;
    private boolean finished;
    private boolean runs;

    Race(ModelLog log, Seed seed) {
      this.log = log;
      this.seed = seed;
      deployments = new Deployments(APP, log.client("deploy"), log.clock(), this::pause);
      known = known(log);
      Recorded recorded = known.recorded();
      open = Objects.requireNonNull(recorded.deployment());
      former = Objects.requireNonNull(recorded.returned());
    }

    private void pause() {
      log.advance(Duration.ofMillis(seed.below(20)));
      if (seed.chance(0.2)) {
        finish();
        start();
      }
    }

    void finish() {
      if (!isFinishing) {
        isFinishing = true;
        finished = deployments.finish(open, _ -> !lives);
      }
    }

    void start() {
      if (!isStarting) {
        isStarting = true;
        lives = true;
        runs = VersionLog.mayBegin(known, former, log.client("former"), log.clock(), this::pause);
        lives = runs;
      }
    }
  }

  private static Starting start(ModelLog log, Seed seed, PlanDescription plan, String accepted) {
    Starting process = new Starting(log, "p" + log.clock().nanos(), plan, accepted);
    run(log, seed, 0, List.of(process));
    log.advance(Duration.ofSeconds(1)); // what is committed is visible a moment later
    return process;
  }

  /// An unchanged start writes nothing.
  @Test
  void whatIsRecordedIsNotWrittenAgain() {
    ModelLog log = log(1);
    Seed seed = new Seed(1);
    for (int i = 0; i < 3; i++) {
      assertTrue(start(log, seed, plan("1m", "f"), "").mayRun());
      assertEquals(1, log.records(TOPIC).size());
    }
    ModelRecord record = log.records(TOPIC).getFirst();
    assertEquals("plan/" + plan("1m", "f").hash(), record.keyText());
    assertEquals(plan("1m", "f").text(), record.valueText());
  }

  @Test
  void whatCannotBeReadIsNamedWithItsPlace() {
    ModelLog log = log(1);
    write(log, "names", "is for a later version");
    assertFalse(start(log, new Seed(1), plan("1m", "f"), "").refused);
    write(log, "plan/0", "millrace plan 2\n");
    VersionLog versions =
        new VersionLog(APP, _ -> plan("1m", "f"), "", log.client("late"), log.clock());
    PlanRefusedException refused =
        assertThrows(
            PlanRefusedException.class,
            () -> {
              while (versions.state() == State.READING) {
                versions.step();
              }
            });
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("app-versions-0 at offset "), message);
    assertTrue(message.contains("'millrace plan 2'"), message);
  }

  private static void write(ModelLog log, String key, String value) {
    log.append(TOPIC, 0, key, value, 0);
  }
}
