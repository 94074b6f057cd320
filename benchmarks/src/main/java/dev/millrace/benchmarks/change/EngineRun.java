package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.ChangeBenchmark.Setup;
import dev.millrace.benchmarks.change.Changelog.Written;
import dev.millrace.benchmarks.change.Measured.Rollback;
import dev.millrace.benchmarks.change.Measured.Times;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// One engine, filled once and then changed again and again under a steady input.
final class EngineRun {
  private static final Duration LONG = Duration.ofHours(2);
  private static final Duration START = Duration.ofMinutes(10);
  private static final Duration CALM = Duration.ofMinutes(2);

  private static final int CALM_WINDOWS = 5;

  /// Results that wait for their commit: longest where a checkpoint of all state has to end before.
  private static final int BEHIND_SECONDS = 5;

  /// Of a processor, what an engine, Kafka and the input may use when they have nothing else to do.
  private static final double CALM_SHARE = 0.5;

  private final Setup setup;
  private final Cluster cluster;
  private final Engine engine;
  private final Ledger ledger;
  private final Input input;
  private final Output output;
  private final Consumer<String> progress;
  private final List<Measured> measured = new ArrayList<>();

  /// The first event that the second operator is to count; negative if it was not added by itself.
  private long recentFrom = -1;

  EngineRun(
      Setup setup,
      Cluster cluster,
      Engine engine,
      Ledger ledger,
      Input input,
      Output output,
      Consumer<String> progress) {
    this.setup = setup;
    this.cluster = cluster;
    this.engine = engine;
    this.ledger = ledger;
    this.input = input;
    this.output = output;
    this.progress = progress;
  }

  Outcome run() throws IOException, InterruptedException, TimeoutException {
    engine.start(Change.NONE);
    long keys = setup.keys();
    input.fill(keys, sent -> say("writing, %,d of %,d events".formatted(sent, keys)));
    output.begin();
    input.begin(setup.rate());
    say("making the state of %,d keys".formatted(keys));
    awaitResults(0, LONG);
    awaitAnswered(LONG);
    List<Change> changes = engine.changes().stream().filter(setup.changes()::contains).toList();
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (change.isBesideUnchanged()) {
        change(Change.NONE, true);
      }
      boolean last = i + 1 == changes.size() || changes.get(i + 1) != Change.ROLL_BACK;
      if (!(change == Change.ROLLING ? roll((MillraceEngine) engine) : change(change, last))) {
        break;
      }
    }
    input.stop();
    output.awaitAnswered(0, engine::requireAlive, START);
    Thread.sleep(1_000); // what is there twice
    String title = engine.title();
    engine.stop();
    return new Outcome(
        title,
        engine.settings(),
        Directories.bytes(engine.state()),
        measured,
        wrong(),
        ledger.wrongOfRecent());
  }

  /// Returns the wrong rows of each change: from it to the next one. What came before the first one
  /// is counted with it.
  private List<Long> wrong() {
    List<Long> wrong = new ArrayList<>();
    for (int i = 0; i < measured.size(); i++) {
      long from = i == 0 ? 0 : measured.get(i).from();
      long to = i + 1 == measured.size() ? ledger.events() : measured.get(i + 1).from();
      wrong.add(ledger.wrong(from, to));
    }
    return wrong;
  }

  private void say(String what) {
    progress.accept(engine.title() + ": " + what);
  }

  /// Waits until each partition has the result of an event with this number or a larger one.
  private void awaitResults(long number, Duration atMost)
      throws InterruptedException, TimeoutException {
    output.awaitAll(number, engine::requireAlive, atMost);
  }

  /// Waits until all but the events of the last seconds have a result, and nothing is left to do.
  private void awaitAnswered(Duration atMost) throws InterruptedException, TimeoutException {
    output.awaitAnswered((long) BEHIND_SECONDS * setup.rate(), engine::requireAlive, atMost);
    // A window that small measures nothing that this would disturb.
    Duration calm = setup.window().multipliedBy(CALM_WINDOWS);
    cluster.awaitCalm(calm.compareTo(CALM) < 0 ? calm : CALM, CALM_SHARE, List.of());
  }

  /// Changes the program.
  ///
  /// @param last whether the change is to be finalized, which it is not if it is rolled back next
  /// @return whether the engine could
  private boolean change(Change change, boolean last)
      throws IOException, InterruptedException, TimeoutException {
    say(change.words());
    double planSeconds = engine.prepare(change);
    long from = ledger.firstUnanswered();
    engine.markChangelog();
    output.begin();
    long begun = System.nanoTime();
    Rollback rollback = change == Change.ROLL_BACK ? engine.rollBack() : Rollback.NONE;
    engine.stop();
    long next = ledger.events();
    if (change == Change.ADD_OPERATOR) {
      recentFrom = next;
    } else if (change == Change.REMOVE_OPERATOR && recentFrom >= 0) {
      ledger.requireRecent(recentFrom, from);
    }
    String refused = started(change, next);
    if (change == Change.ROLL_BACK) {
      rollback = rollback.withAll((System.nanoTime() - begun) / 1e9);
    }
    Times times =
        new Times(
            planSeconds,
            output.longest(),
            output.longestOfAPartition(),
            engine.comparedMillis(),
            rollback);
    measure(change, from, times, refused, last);
    return refused.isEmpty();
  }

  /// Starts the changed program, or the one before if the engine refuses the change, and waits
  /// until there are results of event `next` and later ones.
  ///
  /// @return why it was refused; empty if it was not
  private String started(Change change, long next)
      throws IOException, InterruptedException, TimeoutException {
    engine.start(change);
    try {
      awaitResults(next, START);
      return "";
    } catch (IllegalStateException e) {
      if (change.isUnchanged()) {
        throw e;
      }
      engine.refuse(change);
      engine.start(Change.NONE);
      awaitResults(next, START);
      return String.valueOf(e.getMessage());
    }
  }

  /// Measures what comes behind the first results, and ends the change.
  private void measure(Change change, long from, Times times, String refused, boolean last)
      throws IOException, InterruptedException, TimeoutException {
    Thread.sleep(setup.window().toMillis());
    awaitAnswered(START);
    double finalizing = last ? engine.finish() : Double.NaN;
    boolean isAwaited = setup.migrationIsAwaited() && change == Change.MIGRATE_ONE_WAY;
    double migrated = isAwaited ? migrated() : Double.NaN;
    double cpuPerMillion = change.isBesideWork() && !isAwaited ? work() : Double.NaN;
    Written written = engine.writtenToChangelog(from);
    long diskBytes = engine.writtenBytes();
    measured.add(
        new Measured(
            engine.title(),
            change,
            times,
            written,
            diskBytes,
            finalizing,
            cpuPerMillion,
            engine.predicted(),
            migrated,
            from,
            refused));
    say("%s: %.2f s without results".formatted(change.words(), times.silence()));
  }

  private double migrated() throws InterruptedException, TimeoutException {
    say("migrating the values that no event has had");
    return engine.awaitMigrated();
  }

  /// Has the engine process events as fast as it can.
  ///
  /// @return the processor seconds of a million, once the compiler knows the program
  private double work() throws InterruptedException, TimeoutException {
    say("%,d records at once".formatted(setup.work()));
    burst(setup.work());
    return burst(setup.work());
  }

  private double burst(long events) throws InterruptedException, TimeoutException {
    awaitAnswered(LONG);
    long answered = ledger.answered();
    Duration before = engine.cpu();
    input.burst(events);
    output.awaitAnswered((long) BEHIND_SECONDS * setup.rate(), engine::requireAlive, LONG);
    double used = engine.cpu().minus(before).toNanos() / 1e9;
    return used * 1e6 / (ledger.answered() - answered);
  }

  /// Changes one of two containers after the other.
  ///
  /// @return that the engine could
  private boolean roll(MillraceEngine millrace)
      throws IOException, InterruptedException, TimeoutException {
    say("going on as two containers");
    millrace.stop();
    millrace.divide(2);
    long next = ledger.events();
    millrace.start(Change.NONE);
    awaitResults(next, LONG);
    awaitAnswered(LONG);
    say(Change.ROLLING.words());
    double planSeconds = millrace.prepare(Change.ROLLING);
    long from = ledger.firstUnanswered();
    millrace.markChangelog();
    output.begin();
    millrace.roll(Change.ROLLING);
    for (int container = 0; container < millrace.containers(); container++) {
      awaitResults(millrace.restart(container), START);
      awaitAnswered(START);
      Thread.sleep(setup.window().toMillis());
    }
    Times times =
        new Times(
            planSeconds,
            output.longest(),
            output.longestOfAPartition(),
            millrace.comparedMillis(),
            Rollback.NONE);
    measure(Change.ROLLING, from, times, "", true);
    return true;
  }
}
