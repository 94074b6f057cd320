package dev.millrace.testkit.job;

import dev.millrace.api.StreamApplication;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs an application on the same input several times, each time under other conditions that its
/// results must not depend on, and compares the content of its topics. The conditions are: batches
/// of every size from one record; almost no memory, so that nothing stays in a cache and everything
/// is sent at once; a stop and a start after each step that processed records; a crash before every
/// other commit; and several processes that are stopped and killed at any time and lose their
/// disks.
///
/// ```java
/// Harsh.of(new WordCount(), job -> job.input("lines").send("the mill").send("the race")).check();
/// ```
///
/// It finds state that is kept in a field instead of a store, results that depend on where a batch
/// ends, and functions that are not pure. The input should be small: some tens of records.
///
/// It compares all values of a topic with their keys, in any order. Of a table, it compares the
/// last value of each key; of corrected results, the last value of each key and event time.
/// Retracted values are left out. Corrected results without keys are compared only if they are
/// written `withRetractions()`.
public final class Harsh {
  private static final int MOST_BATCH = 12;
  private static final int SEEDS = 8;

  private static final String OF_BATCHES =
      "The end of a batch is arbitrary: the output of a processor must depend only on the records.";
  private static final String OF_LIVES =
      "What a processor keeps outside its stores is lost then, and side effects of functions are"
          + " repeated.";

  private final StreamApplication application;
  private final Consumer<TestJob> given;
  private @Nullable Consumer<TestJob> then;
  private Results.Counting counting = Results.Counting.WHAT_IS_DETERMINED;

  /// A run under one of the conditions.
  ///
  /// @param why the results may have changed
  private record Round(String name, Shape shape, Supplier<Disturbance> disturbance, String why) {}

  private Harsh(StreamApplication application, Consumer<TestJob> given) {
    this.application = application;
    this.given = given;
  }

  /// Creates a check of an application.
  ///
  /// @param application used by many jobs, one after the other
  /// @param given sends the input to a job that has not begun, and may let it work in between;
  ///   called for each run
  public static Harsh of(StreamApplication application, Consumer<TestJob> given) {
    return new Harsh(application, given);
  }

  /// Adds an expectation that must hold at the end of each run, besides that all runs are equal.
  public Harsh then(Consumer<TestJob> expectation) {
    then = expectation;
    return this;
  }

  /// Also compares the order of each key's values, and the intermediate values of tables and
  /// corrected results. With an exchange or more than one source, these depend on the order in
  /// which records of different partitions arrive, and some operators omit some of them.
  public Harsh everyRecord() {
    counting = Results.Counting.EVERY_RECORD;
    return this;
  }

  /// Compares only the last value of each key, in topics with keys: for a processor whose results
  /// are like those of a table, so that intermediate results depend on the order in which records
  /// of different partitions arrive.
  public Harsh onlyLatest() {
    counting = Results.Counting.LATEST;
    return this;
  }

  /// Runs all conditions, which takes about a second.
  ///
  /// @throws AssertionError if the results of a run differ from those of the first one, which is
  ///   undisturbed, or an expectation does not hold; the message names the difference and a
  ///   possible cause
  public void check() {
    Shape standard = Shape.standard();
    Round first = new Round("it is undisturbed", standard, () -> Disturbance.NONE, "");
    List<Results> results = new ArrayList<>();
    long sent = run(first, results);
    for (Round round : rounds(standard, sent)) {
      run(round, results);
      String differences = results.removeLast().differences(results.getFirst());
      if (!differences.isEmpty()) {
        throw new AssertionError(
            "'%s' has other results when %s, under seed %d:%s\n%s"
                .formatted(
                    application.name(),
                    round.name(),
                    round.shape().seed(),
                    differences,
                    round.why()));
      }
    }
  }

  /// @param results gets those of the run
  /// @return how many records were sent
  private long run(Round round, List<Results> results) {
    try (TestJob job = TestJob.of(application)) {
      job.shaped(round.shape()).disturbed(round.disturbance().get());
      given.accept(job);
      job.process();
      results.add(Results.of(job, counting));
      if (then != null) {
        then.accept(job);
      }
      return job.sent();
    } catch (AssertionError e) {
      throw new AssertionError(
          "When %s, under seed %d: %s"
              .formatted(round.name(), round.shape().seed(), e.getMessage()),
          e);
    }
  }

  private static List<Round> rounds(Shape standard, long sent) {
    List<Round> rounds = new ArrayList<>();
    for (int batch = 1; batch <= Math.min(sent, MOST_BATCH); batch++) {
      rounds.add(
          new Round(
              "it reads %d at a time".formatted(batch),
              standard.withBatch(batch).withSeed(batch + 1),
              () -> Disturbance.NONE,
              OF_BATCHES));
    }
    rounds.add(
        new Round(
            "it has almost no memory",
            standard.withBatch(3).withLimits(nextToNothing()),
            () -> Disturbance.NONE,
            OF_BATCHES));
    for (int batch : new int[] {1, 2, 5}) {
      rounds.add(
          new Round(
              "it reads %d at a time and is restarted after each step".formatted(batch),
              standard.withBatch(batch),
              Disturbance::restarts,
              OF_LIVES));
      rounds.add(
          new Round(
              "it reads %d at a time and is killed before every other commit".formatted(batch),
              standard.withBatch(batch),
              Disturbance::crashes,
              OF_LIVES));
    }
    for (long seed = 1; seed <= SEEDS; seed++) {
      Seed draws = new Seed(seed).fork("harsh");
      rounds.add(
          new Round(
              "it is sometimes stopped and killed",
              standard
                  .withSeed(seed)
                  .withBatch(draws.between(1, MOST_BATCH))
                  .withContainers(draws.between(1, 2), draws.between(1, 2)),
              () -> Disturbance.drawn(draws),
              OF_LIVES));
    }
    return rounds;
  }

  /// Returns limits with a commit after every change, a flush after every commit, and room for
  /// little more than a batch that is fetched and one under way.
  private static MemoryLimits nextToNothing() {
    return new MemoryLimits(
        StateLimits.defaults().withCacheBytes(0).withCommittedShareBytes(1), 500, 1_000);
  }
}
