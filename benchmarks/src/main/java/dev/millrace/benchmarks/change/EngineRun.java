package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.ChangeBenchmark.Setup;
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
  private long recentFrom;

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
    for (Change change : engine.changes()) {
      change(Change.NONE);
      if (!change(change)) {
        break;
      }
    }
    if (engine instanceof MillraceEngine millrace) {
      roll(millrace);
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
        measured.stream().map(each -> ledger.wrong(each.from(), each.to())).toList(),
        ledger.wrongOfRecent());
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
  /// @return whether the engine could
  private boolean change(Change change) throws IOException, InterruptedException, TimeoutException {
    say(change.words());
    double planSeconds = engine.prepare(change);
    long from = ledger.firstUnanswered();
    engine.markChangelog();
    output.begin();
    engine.stop();
    long next = ledger.events();
    switch (change) {
      case ADD_OPERATOR -> recentFrom = next;
      case REMOVE_OPERATOR -> ledger.requireRecent(recentFrom, from);
      default -> {}
    }
    engine.start(change);
    String refused = "";
    try {
      awaitResults(next, START);
    } catch (IllegalStateException e) {
      if (change == Change.NONE) {
        throw e;
      }
      refused = String.valueOf(e.getMessage());
      engine.refuse(change);
      engine.start(Change.NONE);
      awaitResults(next, START);
    }
    double silence = output.longest();
    double silenceOfAPartition = output.longestOfAPartition();
    Thread.sleep(setup.window().toMillis());
    awaitAnswered(START);
    Measured made =
        new Measured(
            engine.title(),
            change,
            planSeconds,
            silence,
            silenceOfAPartition,
            engine.comparedMillis(),
            engine.writtenToChangelog(from),
            engine.writtenBytes(),
            from,
            ledger.firstUnanswered(),
            refused);
    measured.add(made);
    say("%s: %.2f s without results".formatted(change.words(), silence));
    return refused.isEmpty();
  }

  /// Changes one of two containers after the other.
  private void roll(MillraceEngine millrace)
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
    measured.add(
        new Measured(
            engine.title(),
            Change.ROLLING,
            planSeconds,
            output.longest(),
            output.longestOfAPartition(),
            millrace.comparedMillis(),
            millrace.writtenToChangelog(from),
            millrace.writtenBytes(),
            from,
            ledger.firstUnanswered(),
            ""));
  }
}
