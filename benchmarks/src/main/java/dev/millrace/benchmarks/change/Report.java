package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.ChangeBenchmark.Setup;
import dev.millrace.benchmarks.change.Changelog.Written;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Changes as a table, a plot and results for programs.
final class Report {
  private static final double MEGABYTE = 1e6;

  /// Those behind which the program before a migration works, over values of its own version.
  private static final Set<Change> UNMIGRATED = EnumSet.of(Change.UNMIGRATED, Change.ROLL_BACK);

  private final Setup setup;
  private final List<Outcome> outcomes;

  /// A change by an engine, in all runs.
  private record Group(String engine, Change change, List<Measured> measured, long wrong) {
    double median(ToDoubleFunction<Measured> value) {
      return known(value).map(Sample::median).orElse(Double.NaN);
    }

    double most(ToDoubleFunction<Measured> value) {
      return known(value).map(Sample::most).orElse(Double.NaN);
    }

    /// What there is of a number that not each run has.
    private Optional<Sample> known(ToDoubleFunction<Measured> value) {
      List<Double> values =
          measured.stream().map(value::applyAsDouble).filter(each -> !Double.isNaN(each)).toList();
      return values.isEmpty() ? Optional.empty() : Optional.of(new Sample(values));
    }

    String refused() {
      return measured.getFirst().refused();
    }
  }

  Report(Setup setup, List<Outcome> outcomes) {
    this.setup = setup;
    this.outcomes = outcomes;
  }

  Figure figure() {
    List<Group> groups = groups();
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", setup.runs());
    facts.put("keys", setup.keys());
    facts.put("partitions", ChangeBenchmark.PARTITIONS);
    facts.put("events a second", setup.rate());
    facts.put("records of work", setup.work());
    facts.put("seconds behind a start", setup.window().toSeconds());
    outcomes.forEach(each -> {
      if (each.stateBytes() > 0) {
        facts.put("local state MB of " + each.title(), megabytes((double) each.stateBytes()));
      }
      facts.put("settings of " + each.title(), each.settings());
      if (each.title().equals(MillraceEngine.TITLE)) {
        facts.merge(
            "wrong rows of the operator that comes and goes",
            each.wrongOfRecent(),
            (one, other) -> (long) one + (long) other);
      }
    });
    groups.stream()
        .filter(each -> !each.refused().isEmpty())
        .forEach(each ->
            facts.put(
                "why '%s' is refused by %s".formatted(each.change.words(), each.engine),
                each.refused()));
    addMigrations(facts, groups);
    return new Figure(
            "change",
            "A change of a program with %,d MB of state"
                .formatted(megabytes((double) setup.stateBytes())),
            facts,
            List.of(
                "engine",
                "change",
                "without results s",
                "longest s",
                "a partition, longest s",
                "changelog because of it B",
                "disk MB",
                "finalize s",
                "rollback s",
                "CPU s a million",
                "migration s",
                "predicted s",
                "predicted MB",
                "plan --diff s",
                "comparing ms",
                "wrong rows"),
            groups.stream().map(Report::row).toList(),
            plot(groups))
        .withResults(groups.stream().map(Report::result).toList());
  }

  /// Adds what migrations cost beside work, and what a rollback takes without the command.
  private static void addMigrations(Map<String, Object> facts, List<Group> groups) {
    List<Double> before =
        groups.stream()
            .filter(each -> UNMIGRATED.contains(each.change))
            .map(each -> each.median(Measured::cpuPerMillion))
            .filter(each -> !Double.isNaN(each))
            .toList();
    for (Group each : groups) {
      double cpu = each.median(Measured::cpuPerMillion);
      if (!UNMIGRATED.contains(each.change) && !Double.isNaN(cpu) && !before.isEmpty()) {
        facts.put(
            "CPU of work, '%s'".formatted(each.change.words()),
            "%+.1f %%".formatted((cpu / new Sample(before).median() - 1) * 100));
      }
      double rollback = each.median(one -> one.times().rollback().withoutStart());
      if (!Double.isNaN(rollback)) {
        facts.put("rollback without the start of the command's JVM", "%.2f s".formatted(rollback));
      }
    }
  }

  /// Returns what is wrong of what Millrace did, in words: others may lose what they cannot keep.
  List<String> failures() {
    List<String> failures = new ArrayList<>();
    for (Group each : groups()) {
      if (each.engine.equals(MillraceEngine.TITLE) && each.wrong > 0) {
        failures.add("%s: %,d wrong rows".formatted(each.change.words(), each.wrong));
      }
    }
    for (Outcome each : outcomes) {
      if (each.wrongOfRecent() > 0) {
        failures.add(
            "the operator that comes and goes: %,d wrong rows".formatted(each.wrongOfRecent()));
      }
    }
    return failures;
  }

  private static long megabytes(double bytes) {
    return Math.round(bytes / MEGABYTE);
  }

  private List<Group> groups() {
    Map<String, Map<Change, List<Measured>>> measured = new LinkedHashMap<>();
    Map<String, Map<Change, Long>> wrong = new LinkedHashMap<>();
    for (Outcome outcome : outcomes) {
      for (int i = 0; i < outcome.measured().size(); i++) {
        Measured each = outcome.measured().get(i);
        measured
            .computeIfAbsent(outcome.title(), _ -> new LinkedHashMap<>())
            .computeIfAbsent(each.change(), _ -> new ArrayList<>())
            .add(each);
        wrong
            .computeIfAbsent(outcome.title(), _ -> new LinkedHashMap<>())
            .merge(each.change(), outcome.wrong().get(i), Long::sum);
      }
    }
    List<Group> groups = new ArrayList<>();
    measured.forEach((engine, changes) ->
        changes.forEach((change, all) ->
            groups.add(
                new Group(
                    engine,
                    change,
                    all,
                    wrong.getOrDefault(engine, Map.of()).getOrDefault(change, 0L)))));
    return groups;
  }

  private static List<Object> row(Group each) {
    boolean refused = !each.refused().isEmpty();
    return List.of(
        each.engine,
        each.change.words() + (refused ? ": refused" : ""),
        number(each.median(one -> one.times().silence()), 2),
        number(each.most(one -> one.times().silence()), 2),
        number(each.most(one -> one.times().silenceOfAPartition()), 2),
        number(each.most(one -> one.changelog(Written::unaskedBytes)), 0),
        megabytes(each.median(Measured::diskBytes)),
        number(each.median(Measured::finalizing), 2),
        number(each.median(one -> one.times().rollback().all()), 2),
        number(each.median(Measured::cpuPerMillion), 1),
        number(each.median(Measured::migrating), 0),
        number(each.median(one -> one.predicted().seconds()), 0),
        number(each.median(one -> one.predicted().bytes()) / MEGABYTE, 0),
        number(each.median(one -> one.times().plan()), 2),
        number(each.median(one -> one.times().comparedMillis()), 0),
        each.wrong);
  }

  private static String number(double value, int digits) {
    return Double.isNaN(value) ? "" : ("%." + digits + "f").formatted(value);
  }

  private static Map<String, @Nullable Object> result(Group each) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("engine", each.engine);
    result.put("change", each.change.id());
    result.put("refused", each.refused());
    result.put("secondsWithoutResults", values(each, one -> one.times().silence()));
    result.put(
        "secondsWithoutResultsInAPartition",
        values(each, one -> one.times().silenceOfAPartition()));
    result.put("changelogBytes", values(each, one -> one.changelog(Written::bytes)));
    result.put("changelogEntries", values(each, one -> one.changelog(Written::entries)));
    result.put(
        "changelogBytesBecauseOfIt", values(each, one -> one.changelog(Written::unaskedBytes)));
    result.put("changelogEntriesBecauseOfIt", values(each, one -> one.changelog(Written::unasked)));
    result.put("diskBytes", values(each, Measured::diskBytes));
    result.put("planDiffSeconds", values(each, one -> one.times().plan()));
    result.put("comparingMs", values(each, one -> one.times().comparedMillis()));
    result.put("finalizeSeconds", values(each, Measured::finalizing));
    result.put("rollbackSeconds", values(each, one -> one.times().rollback().all()));
    result.put(
        "rollbackSecondsWithoutStartOfTheCommand",
        values(each, one -> one.times().rollback().withoutStart()));
    result.put("rollbackCommandSeconds", values(each, one -> one.times().rollback().command()));
    result.put("predictedSeconds", values(each, one -> one.predicted().seconds()));
    result.put("predictedBytes", values(each, one -> one.predicted().bytes()));
    result.put("migrationSeconds", values(each, Measured::migrating));
    result.put("cpuSecondsPerMillion", values(each, Measured::cpuPerMillion));
    result.put("wrongRows", each.wrong);
    return result;
  }

  private static List<@Nullable Double> values(Group each, ToDoubleFunction<Measured> value) {
    List<@Nullable Double> values = new ArrayList<>();
    each.measured.forEach(one -> {
      double number = value.applyAsDouble(one);
      values.add(Double.isNaN(number) ? null : number);
    });
    return values;
  }

  private static Plot plot(List<Group> groups) {
    Set<Change> changes = new LinkedHashSet<>();
    groups.forEach(each -> changes.add(each.change));
    Set<String> engines = new LinkedHashSet<>();
    groups.forEach(each -> engines.add(each.engine));
    return new Plot(
        "what is changed",
        "seconds without results",
        changes.stream().map(Change::id).toList(),
        engines.stream()
            .map(engine ->
                new Line(
                    engine,
                    changes.stream().map(change -> silence(groups, engine, change)).toList()))
            .toList());
  }

  private static double silence(List<Group> groups, String engine, Change change) {
    return groups.stream()
        .filter(each -> each.engine.equals(engine) && each.change == change)
        .filter(each -> each.refused().isEmpty())
        .mapToDouble(each -> each.median(one -> one.times().silence()))
        .findFirst()
        .orElse(Double.NaN);
  }
}
