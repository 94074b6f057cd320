package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// One commit group, and so one transaction, for the tasks of two workers: a crash takes back what
/// both have done, or nothing.
class GroupAcrossWorkersTest {
  private static final int SEEDS = 200;
  private static final long MOST_STEPS = 100_000;
  private static final Placement TWO_WORKERS =
      new Placement(0, 1, 2, Placement.Groups.OF_CONTAINERS);

  private static SumsRun prepared(long seed) {
    return SumsRun.prepared(seed, SimulationSettings.of("events").withShape(1, 2, true));
  }

  @Test
  void theTasksOfBothWorkersHaveOneWriter() {
    SumsRun job = prepared(1);
    Simulation simulation = job.simulation();
    simulation.startAll();
    simulation.runToCompletion(MOST_STEPS);
    Engine engine = simulation.engine(0);
    assertEquals(2, engine.workers().size());
    assertEquals(1, engine.groups().size());
    Plan plan = simulation.plan();
    Set<String> writers = new TreeSet<>();
    for (int task = 0; task < plan.slots(); task++) {
      writers.add(lastCommit(simulation, task).writer().transactionalId());
    }
    assertEquals(Set.of("sums.1x2g.0.0"), writers);
    assertEquals(job.job().expectedSums(), job.sums());
  }

  private static CommitRecord lastCommit(Simulation simulation, int task) {
    return simulation.log().records(simulation.plan().changelogTopic(), task).reversed().stream()
        .filter(record -> CommitRecord.KEY.equals(record.key()))
        .findFirst()
        .map(record -> CommitRecord.read(record.value()))
        .orElseThrow();
  }

  @Test
  void aCrashWithinACommitTakesBackAllOfItOrNothing() {
    long found = EachSeed.sum(1, SEEDS, seed -> crashWithinACommit(seed) ? 1 : 0);
    System.out.println("crash schedules: " + SEEDS + " with a crash of two workers in a commit");
    assertTrue(
        found > 0 && found < SEEDS, () -> found + " of " + SEEDS + " commits had been decided");
  }

  /// @return whether the commit was decided when the crash came
  private static boolean crashWithinACommit(long seed) {
    SumsRun job = prepared(seed);
    Simulation simulation = job.simulation();
    simulation.log().faults(Faults.drawn(new Seed(seed).fork("faults")));
    simulation.startAll();
    Seed choices = new Seed(seed).fork("crash");
    int skip = choices.below(12);
    List<Split> open = openOfBothWorkers(simulation);
    while (open.isEmpty() || skip-- > 0) {
      simulation.startAll(); // a fault of the log may have ended it
      simulation.step();
      open = openOfBothWorkers(simulation);
      boolean goesOn = !simulation.completed() && simulation.steps() < MOST_STEPS;
      assertTrue(goesOn, "No commit of both workers was seen.");
    }
    List<List<ModelRecord>> written =
        open.stream().map(split -> undecided(simulation.log(), split)).toList();
    simulation.crash(0, choices.coin());
    simulation.log().calm();
    simulation.startAll();
    while (!decided(simulation, open)) {
      simulation.startAll();
      simulation.step();
      assertTrue(simulation.steps() < MOST_STEPS, simulation::state);
    }
    Set<Boolean> visible = new LinkedHashSet<>();
    for (int i = 0; i < open.size(); i++) {
      Split split = open.get(i);
      var found = simulation.log().records(split.stream(), split.partition());
      written.get(i).forEach(record -> visible.add(found.contains(record)));
    }
    assertEquals(1, visible.size(), () -> "Some of the commit is there, and some is not.");
    simulation.runToCompletion(MOST_STEPS);
    simulation.log().advance(Duration.ofSeconds(5));
    job.requireExact();
    return visible.contains(true);
  }

  private static List<ModelRecord> undecided(ModelLog log, Split split) {
    return log.undecided(split.stream(), split.partition());
  }

  private static boolean decided(Simulation simulation, List<Split> splits) {
    return splits.stream().allMatch(split -> undecided(simulation.log(), split).isEmpty());
  }

  /// The changelog partitions with an open transaction, if there are such of tasks of both workers.
  private static List<Split> openOfBothWorkers(Simulation simulation) {
    Plan plan = simulation.plan();
    List<Split> open = new ArrayList<>();
    long workers =
        TWO_WORKERS.tasks(plan).stream()
            .filter(tasks -> {
              List<Split> own =
                  tasks.stream()
                      .map(task -> new Split(plan.changelogTopic(), task.number()))
                      .filter(split -> !undecided(simulation.log(), split).isEmpty())
                      .toList();
              open.addAll(own);
              return !own.isEmpty();
            })
            .count();
    return workers == 2 ? open : List.of();
  }
}
