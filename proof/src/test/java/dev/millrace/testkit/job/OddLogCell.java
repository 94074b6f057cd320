package dev.millrace.testkit.job;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.StreamApplication;
import dev.millrace.internal.engine.sources.InputPartitions;
import dev.millrace.spi.Split;
import dev.millrace.testkit.job.EachOperator.Form;
import dev.millrace.testkit.job.OddRun.Found;
import dev.millrace.testkit.sim.InputRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// What an operator does when something is odd with the topics that it reads, or with how the job
/// goes, and not with records.
///
/// Records come in parts: the first halves of all topics, and then the second half of one topic
/// after the other. Whenever all that can be read is processed, the results have to be those of a
/// job that read the same parts and to which nothing happened.
final class OddLogCell {
  /// How many partitions topics have, and how many one of them is given.
  private static final int FEW = 2;

  private static final int MORE = 5;
  private static final int TWICE = 4;

  private static final EachOperator<String, String> PLAINLY =
      new EachOperator<>(Oddity.PLAIN, Oddity.PLAIN);

  private static final Form<String> OTHER_TEXT =
      new Form<>(new OtherText(), text -> text, text -> text, text -> text);

  private static final String RESET = "millrace app reset each-operator --";

  /// The results of plain runs that others are compared with.
  private static final Map<String, List<Found>> PLAIN = new ConcurrentHashMap<>();

  private OddLogCell() {}

  /// Goes through all parts.
  @FunctionalInterface
  private interface Part {
    /// Writes the records and lets the job do something.
    ///
    /// @return what is written when it has processed them
    Found of(OddLogRun run, List<InputRecord> records);
  }

  /// What is written behind each part.
  private static List<Found> plain(String operator) {
    return PLAIN.computeIfAbsent(
        operator,
        name -> {
          try (OddLogRun run = new OddLogRun(name, false)) {
            run.begin(run.firstHalves());
            List<Found> found = new ArrayList<>(List.of(run.rest()));
            secondHalves(run, found, OddLogCell::plainly);
            return found;
          }
        });
  }

  private static Found plainly(OddLogRun run, List<InputRecord> records) {
    run.write(records);
    return run.rest();
  }

  /// Adds what is written behind each second half, and when windows are closed.
  private static void secondHalves(OddLogRun run, List<Found> found, Part part) {
    run.topics().forEach(topic -> found.add(part.of(run, run.secondHalf(topic))));
    close(run, found, 1);
  }

  private static void close(OddLogRun run, List<Found> found, int more) {
    run.topics().forEach(topic -> found.add(plainly(run, run.closing(topic, more))));
  }

  /// What is written when all topics have ended.
  private static Found ended(String operator) {
    Found found = OddLogRun.plain(operator).run(false);
    if (found.byKey().isEmpty()) {
      throw new AssertionError(operator + " has no results to compare with.");
    }
    return found;
  }

  /// Transactions that were aborted lie between the records and at the end of each topic.
  static OddCell aborted(String operator) {
    try (OddLogRun run = new OddLogRun(operator, false)) {
      run.topics().forEach(topic -> run.writeBetweenAborted(run.records(topic, 0, OddLogRun.HALF)));
      run.begin(List.of());
      List<Found> found = new ArrayList<>(List.of(run.rest()));
      secondHalves(
          run,
          found,
          (_, records) -> {
            run.writeBetweenAborted(records);
            return run.rest();
          });
      return same(operator, found, plain(operator));
    }
  }

  /// The same with topics that end there.
  static OddCell abortedBeforeAnEnd(String operator) {
    try (OddLogRun run = new OddLogRun(operator, true)) {
      run.topics().forEach(topic -> run.writeBetweenAborted(run.records(topic, 0, OddRun.RECORDS)));
      run.begin(List.of());
      return same(operator, List.of(run.rest()), List.of(ended(operator)));
    }
  }

  private static OddCell same(String operator, List<Found> found, List<Found> expected) {
    if (map(found, Found::byKey).equals(map(expected, Found::byKey))) {
      return OddCell.EXACT;
    }
    List<List<String>> determined = map(found, Found::determined);
    List<List<String>> right = map(expected, Found::determined);
    // What a timer finds depends on where a batch ends, until all of them have fired.
    boolean onlyInTheEnd = operator.equals("process with timers");
    if (found.size() != expected.size()
        || !determined.getLast().equals(right.getLast())
        || !(onlyInTheEnd || determined.equals(right))) {
      throw new AssertionError(
          "%s:%n  found    %s%n  expected %s".formatted(operator, determined, right));
    }
    return OddCell.LAST;
  }

  private static <T> List<T> map(List<Found> all, Function<Found, T> part) {
    return all.stream().map(part).toList();
  }

  /// Whoever writes the second halves has them in transactions that are open when the job begins:
  /// it does not wait for them, and has their records when they are committed.
  static OddCell open(String operator) {
    try (OddLogRun run = new OddLogRun(operator, false)) {
      run.write(run.firstHalves());
      Map<String, Stranger> strangers = strangers(run);
      run.begin(List.of());
      List<Found> found = new ArrayList<>(List.of(run.soon()));
      strangers.forEach((topic, stranger) -> {
        stranger.commit();
        found.add(run.soon());
        stranger.close();
      });
      close(run, found, 1);
      return same(operator, found, plain(operator));
    }
  }

  /// Topics that end behind what is open are read to their ends, which are waited for.
  static OddCell openBeforeAnEnd(String operator) {
    try (OddLogRun run = new OddLogRun(operator, true)) {
      run.write(run.firstHalves());
      Map<String, Stranger> strangers = strangers(run);
      run.begin(List.of());
      run.soon();
      if (run.isOver()) {
        throw new AssertionError(operator + " ends before its input does.");
      }
      strangers
          .values()
          .forEach(stranger -> {
            stranger.commit();
            stranger.close();
          });
      return same(operator, List.of(run.rest()), List.of(ended(operator)));
    }
  }

  private static Map<String, Stranger> strangers(OddLogRun run) {
    Map<String, Stranger> strangers = new LinkedHashMap<>();
    for (String topic : run.topics()) {
      Stranger stranger = new Stranger(run.log(), new Split(topic, 0));
      stranger.send(run.secondHalf(topic));
      strangers.put(topic, stranger);
    }
    return strangers;
  }

  /// The job is stopped in good order somewhere in each part, and started again.
  static OddCell stopped(String operator) {
    return begunAgain(operator, Running::restart);
  }

  /// The job is killed somewhere in each part, and started again.
  static OddCell killed(String operator) {
    return begunAgain(operator, job -> job.crash(false));
  }

  private static OddCell begunAgain(String operator, Consumer<Running> again) {
    try (OddLogRun run = new OddLogRun(operator, false)) {
      run.begin(run.firstHalves());
      again.accept(run.job());
      List<Found> found = new ArrayList<>(List.of(run.rest()));
      secondHalves(
          run,
          found,
          (_, records) -> {
            run.write(records);
            again.accept(run.job());
            return run.rest();
          });
      return same(operator, found, plain(operator));
    }
  }

  /// A topic is deleted and made anew between two starts, and has more records than were read.
  static OddCell madeAnew(String operator) {
    for (String topic : OddRun.TOPICS) {
      try (OddLogRun run = new OddLogRun(operator, false)) {
        if (run.topics().contains(topic)) {
          run.begin(run.firstHalves());
          Found before = run.rest();
          run.beginWithTopicMadeAnew(topic, run.records(topic, 0, OddRun.RECORDS));
          String message = run.failure();
          requireNamed(message, topic + "-0 ", "created again", RESET);
          requireNothingMore(run, before);
        }
      }
    }
    return OddCell.REFUSED;
  }

  /// A topic gets partitions while the job runs, and a key is in another one from then on.
  static OddCell moved(String operator) {
    OddCell weakest = OddCell.EXACT;
    for (String topic : OddRun.TOPICS) {
      try (OddLogRun run = OddLogRun.withPartitions(operator, FEW)) {
        if (run.topics().contains(topic)) {
          OddCell cell = moved(run, topic);
          weakest = cell.compareTo(weakest) > 0 ? cell : weakest;
        }
      }
    }
    return weakest;
  }

  private static OddCell moved(OddLogRun run, String topic) {
    run.begin(run.firstHalves());
    Found before = run.rest();
    run.grow(topic, MORE);
    InputRecord record = run.moved(topic, MORE);
    run.write(List.of(OddLogRun.toPartition(record, MORE)));
    try {
      run.rest();
      List<Found> after = new ArrayList<>();
      close(run, after, MORE);
      try (OddLogRun plain = OddLogRun.withPartitions(run.operator(), FEW)) {
        plain.begin(plain.firstHalves());
        plain.rest();
        plainly(plain, List.of(plain.unmoved(record, MORE)));
        List<Found> right = new ArrayList<>();
        close(plain, right, MORE);
        return same(run.operator(), after, right);
      }
    } catch (Running.Stopped e) {
      requireNamed(
          e.failure().message(),
          topic + ":",
          "Topic '%s' had %d partitions".formatted(topic, FEW),
          "has %d now".formatted(MORE),
          RESET);
      requireNothingMore(run, before);
      return OddCell.REFUSED;
    }
  }

  /// A topic gets twice as many partitions, which are read from then on as if there were as many as
  /// before; or others, to which its keys do not belong.
  static OddCell grown(String operator) {
    OddCell weakest = OddCell.EXACT;
    for (String topic : OddRun.TOPICS) {
      try (OddLogRun run = OddLogRun.withPartitions(operator, FEW)) {
        if (run.topics().contains(topic)) {
          OddCell cell = doubled(run, topic);
          weakest = cell.compareTo(weakest) > 0 ? cell : weakest;
          becomesOdd(operator, topic);
        }
      }
    }
    return weakest;
  }

  private static OddCell doubled(OddLogRun run, String topic) {
    run.begin(run.firstHalves());
    run.rest();
    run.grow(topic, TWICE);
    requireRead(run);
    Found found = second(run, topic, TWICE);
    try (OddLogRun plain = OddLogRun.withPartitions(run.operator(), FEW)) {
      plain.begin(plain.firstHalves());
      plain.rest();
      return same(run.operator(), List.of(found), List.of(second(plain, topic, FEW)));
    }
  }

  /// What there is after the second halves, record by record, and behind them, for each partition
  /// that one of two runs has, a record that closes windows: before that, event time waits for
  /// partitions that have no records yet.
  private static Found second(OddLogRun run, String grown, int partitions) {
    Found found = run.rest();
    List<Function<String, List<InputRecord>>> parts =
        List.of(run::secondHalf, topic -> run.closingEach(topic, TWICE));
    for (Function<String, List<InputRecord>> part : parts) {
      for (String topic : run.topics()) {
        int has = topic.equals(grown) ? partitions : FEW;
        for (InputRecord record : part.apply(topic)) {
          run.write(List.of(OddLogRun.toPartition(record, has)));
          found = run.rest();
        }
      }
    }
    return found;
  }

  private static void requireRead(OddLogRun run) {
    List<InputPartitions.Changed> changes = run.changes();
    if (changes.size() != 1 || changes.getFirst().effect() != InputPartitions.Effect.READ) {
      throw new AssertionError(run.operator() + ": " + changes);
    }
  }

  /// Where keys decide, whoever looks at the partitions ends the job, and it is not started again.
  private static void becomesOdd(String operator, String topic) {
    try (OddLogRun run = OddLogRun.withPartitions(operator, FEW)) {
      run.begin(run.firstHalves());
      run.rest();
      run.grow(topic, MORE);
      List<InputPartitions.Changed> changes = run.changes();
      if (changes.getFirst().ends()) {
        requireNamed(
            changes.getFirst().message(),
            "Topic '%s' had %d partitions".formatted(topic, FEW),
            "has %d now".formatted(MORE),
            RESET);
        startIsRefused(run, topic);
      } else {
        requireRead(run);
      }
    }
  }

  /// All sizes, lengths, times to live and numbers of an operator are others from some start on.
  static OddCell otherParameters(String operator) {
    return changed(operator, PLAINLY.withOtherParameters());
  }

  /// Keys and values have another format from some start on.
  static OddCell otherFormats(String operator) {
    return changed(operator, new EachOperator<>(OTHER_TEXT, OTHER_TEXT));
  }

  /// It is refused, by its plan and by what was committed, or nothing of it is seen.
  private static OddCell changed(String operator, EachOperator<String, String> other) {
    StreamApplication application = other.application(operator);
    try (OddLogRun run = new OddLogRun(operator, false)) {
      run.begin(run.firstHalves());
      List<Found> found = new ArrayList<>(List.of(run.rest()));
      String refusal = run.refusal(application);
      run.beginChanged(application);
      if (refusal == null) {
        secondHalves(run, found, OddLogCell::plainly);
        return same(operator, found, plain(operator));
      }
      if (!refusal.matches("(?s).* '[a-z0-9 -]+'[^:]*: [^\n]+ was [^\n]+, is [^\n]+.*")) {
        throw new AssertionError("Neither operator nor parameter in: " + refusal);
      }
      if (refusal.contains("--change.accept=")) {
        run.rest();
      } else {
        requireNamed(refusal, RESET);
        requireNamed(run.failure(), "was committed by plan");
        requireNothingMore(run, found.getFirst());
      }
      return OddCell.REFUSED;
    }
  }

  private static void startIsRefused(OddLogRun run, String topic) {
    try {
      requireNamed(
          String.valueOf(run.refusal()),
          "input '" + topic,
          "partitions was %d, is %d".formatted(FEW, MORE),
          RESET);
    } catch (InvalidTopologyException e) {
      // Streams that are merged have as many, whatever was before.
      requireNamed(String.valueOf(e.getMessage()), "'" + topic + "' has " + MORE, "repartition(");
    }
  }

  private static void requireNamed(String message, String... parts) {
    for (String part : parts) {
      if (!message.contains(part)) {
        throw new AssertionError("No '" + part + "' in: " + message);
      }
    }
  }

  private static void requireNothingMore(OddLogRun run, Found before) {
    Found now = run.now();
    if (!now.byKey().equals(before.byKey())) {
      throw new AssertionError(
          "%s has written %s, and then %s".formatted(run.operator(), before.byKey(), now.byKey()));
    }
  }
}
