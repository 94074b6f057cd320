package dev.millrace.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.millrace.ExitCode;
import dev.millrace.testkit.mutants.Mutant;
import dev.millrace.testkit.mutants.MutantHunt;
import dev.millrace.testkit.mutants.Mutants;
import dev.millrace.testkit.sim.CrashSchedule;
import dev.millrace.testkit.sim.Scenario;
import dev.millrace.testkit.sim.Shrinking;
import dev.millrace.testkit.sim.Simulations;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Tries to break Millrace.
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Runs whole jobs in virtual time, on models of Kafka and of the disk, crashes them at points"
          + " that a seed chooses, and compares every row that they write with a plain"
          + " computation.",
      "",
      "A seed gives the same run on every machine. For a seed that fails, the command that replays"
          + " it is printed, with the crashes that are necessary for the failure."
    })
final class SimulateCommand implements Callable<Integer> {
  /// Of the crashes of a schedule that cannot be made shorter.
  private static final int MOST_SHOWN = 20;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Number of seeds, for all scenarios together; default: 1000.",
      defaultValue = "0",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private long seeds;

  @Option(names = "--from", paramLabel = "SEED", description = "The first seed; default: 1.")
  private long from = 1;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      description = "Run only this scenario; default: all.")
  private String scenario = "";

  @Option(
      names = "--disk",
      paramLabel = "DISK",
      description = {
        "Where the local state is kept: model, rocksdb, or both, which runs one seed in "
            + SimulationHosts.REAL_EVERY
            + " on RocksDB; default: both."
      })
  private SimulationHosts.Choice disk = SimulationHosts.Choice.BOTH;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of runs at a time; default: the number of processors.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--mutants",
      description = {
        "Plants bugs, one at a time, and searches for each of them; --seeds is the largest number"
            + " of seeds for each scenario, 5000 by default. If a bug is not found, the simulation"
            + " does not detect its kind."
      })
  private boolean mutants;

  @Option(
      names = "--kafka",
      description = {
        "Repeats the schedules on an embedded Kafka in real time, with the same comparison; --seeds"
            + " is their number, 200 by default. Timing differs from run to run."
      })
  private boolean kafka;

  @Option(names = "--verbose", description = "Print the logs of the jobs.")
  private boolean verbose;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (seeds < 0 || threads < 1) {
      throw new ParameterException(spec.commandLine(), "--seeds and --threads must be at least 1.");
    }
    // From here on classes check what they assume: released batches, unchanged objects.
    ClassLoader.getSystemClassLoader().setPackageAssertionStatus("dev.millrace", true);
    if (!verbose && LoggerFactory.getLogger("dev.millrace") instanceof Logger logger) {
      logger.setLevel(Level.OFF); // a run that is crashed has much to say
    }
    if (mutants) {
      return hunt(seeds == 0 ? 5_000 : seeds) ? ExitCode.DONE : ExitCode.FAILED;
    }
    long all = seeds == 0 ? (kafka ? 200 : 1_000) : seeds;
    return runAll(all) ? ExitCode.DONE : ExitCode.FAILED;
  }

  /// Shares the seeds out among the scenarios.
  private boolean runAll(long all) throws InterruptedException {
    List<Scenario> scenarios = chosen();
    try (SimulationHosts hosts = new SimulationHosts(disk)) {
      for (int i = 0; i < scenarios.size(); i++) {
        long share = (all + scenarios.size() - 1 - i) / scenarios.size();
        if (share > 0
            && !(kafka
                ? repeat(scenarios.get(i), share, hosts)
                : run(scenarios.get(i), share, hosts))) {
          return false;
        }
      }
      return true;
    }
  }

  private boolean hunt(long most) {
    PrintWriter out = spec.commandLine().getOut();
    ProgressLine progress = new ProgressLine(out, ProgressLine.onTerminal());
    TextTable table = new TextTable("planted bug", "found by", "seed", "what it does");
    int found = 0;
    for (Mutant mutant : Mutants.all()) {
      String by = "";
      long seed = from - 1;
      MutantHunt hunt = new MutantHunt(mutant);
      while (by.isEmpty() && ++seed < from + most) {
        progress.show(
            "Searching for %s: seed %,d, %d of %d found"
                .formatted(mutant.name(), seed, found, Mutants.all().size()));
        by = findBy(hunt, seed);
      }
      found += by.isEmpty() ? 0 : 1;
      table.add(
          mutant.name(),
          by.isEmpty() ? "nothing" : by,
          by.isEmpty() ? "none of " + most : Long.toString(seed),
          mutant.fault());
    }
    progress.end("Found %d of %d planted bugs.".formatted(found, Mutants.all().size()));
    table.print(out);
    out.flush();
    return found == Mutants.all().size();
  }

  /// Returns the scenario whose run of a seed fails with a bug in place; empty if none does.
  private String findBy(MutantHunt hunt, long seed) {
    for (Scenario each : chosen()) {
      if (!hunt.run(each.name(), seed).isEmpty()) {
        return each.name();
      }
    }
    return "";
  }

  private List<Scenario> chosen() {
    List<Scenario> all = kafka ? Scenario.onRealLogs() : Scenario.all();
    List<Scenario> chosen =
        all.stream().filter(each -> scenario.isEmpty() || each.name().equals(scenario)).toList();
    if (chosen.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "There is no scenario '%s'. The scenarios are %s."
              .formatted(scenario, all.stream().map(Scenario::name).toList()));
    }
    return chosen;
  }

  private boolean run(Scenario each, long count, SimulationHosts hosts)
      throws InterruptedException {
    Simulations simulations = new Simulations(each, from, count, hosts::run);
    long startNanos = System.nanoTime();
    Simulations.Failed failed = run(each, count, simulations, "Simulating");
    if (failed != null) {
      report(each, failed, hosts);
      return false;
    }
    PrintWriter out = spec.commandLine().getOut();
    long real = LongStream.range(from, from + count).filter(hosts::real).count();
    out.println(
        "Simulated %s: %,d seeds, %,d of them on RocksDB, 0 failed, %,d crashes, %,d steps, in %s; trace %016x."
            .formatted(
                each.name(),
                count,
                real,
                simulations.crashPoints().all(),
                simulations.steps(),
                Elapsed.since(startNanos),
                simulations.traceHash()));
    TextTable table = new TextTable("crashed while", "times");
    simulations
        .crashPoints()
        .counts()
        .forEach((point, times) -> table.add(point, "%,d".formatted(times)));
    table.print(out);
    out.flush();
    return true;
  }

  /// Runs them all, or until one has failed.
  private Simulations.@Nullable Failed run(
      Scenario each, long count, Simulations simulations, String doing)
      throws InterruptedException {
    ProgressLine progress =
        new ProgressLine(spec.commandLine().getOut(), ProgressLine.onTerminal());
    Simulations.Failed failed =
        simulations.run(
            threads,
            done ->
                progress.show(
                    "%s %s: %,d of %,d seeds, %,d crashes"
                        .formatted(
                            doing, each.name(), done, count, simulations.crashPoints().all())));
    progress.end(
        "%s %s: %s"
            .formatted(
                doing,
                each.name(),
                failed == null ? "done" : "seed " + failed.seed() + " failed."));
    return failed;
  }

  /// Repeats schedules on an embedded Kafka of their own.
  private boolean repeat(Scenario each, long count, SimulationHosts hosts)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (KafkaSchedules schedules = new KafkaSchedules(hosts)) {
      Simulations simulations = new Simulations(each, from, count, schedules::run);
      long startNanos = System.nanoTime();
      Simulations.Failed failed = run(each, count, simulations, "Repeating");
      if (failed != null) {
        out.println("  " + failed.thrown().getMessage());
        out.println("Repeat it with:");
        out.println(
            "  millrace simulate --kafka --scenario %s --from %d --seeds 1 --verbose"
                .formatted(each.name(), failed.seed()));
        failed.schedule().crashes().stream().limit(MOST_SHOWN).forEach(c -> out.println("  " + c));
      } else {
        out.println(
            "Repeated %s on Kafka: %,d seeds, 0 failed, %,d crashes, in %s."
                .formatted(
                    each.name(),
                    count,
                    simulations.crashPoints().all(),
                    Elapsed.since(startNanos)));
      }
      out.flush();
      return failed == null;
    }
  }

  private void report(Scenario each, Simulations.Failed failed, SimulationHosts hosts) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("  " + failed.thrown().getMessage());
    out.println("Replay it with:");
    out.println(
        "  millrace simulate --scenario %s --from %d --seeds 1 --disk %s --verbose"
            .formatted(
                each.name(), failed.seed(), hosts.real(failed.seed()) ? "rocksdb" : "model"));
    out.flush();
    CrashSchedule needed = new Shrinking(each, failed.seed(), hosts::run).shrink(failed.schedule());
    out.println(
        "Of its %d crashes, these are necessary: %s"
            .formatted(
                failed.schedule().crashes().size(), needed.crashes().isEmpty() ? "none" : ""));
    needed.crashes().forEach(crash -> out.println("  " + crash));
    out.flush();
  }
}
