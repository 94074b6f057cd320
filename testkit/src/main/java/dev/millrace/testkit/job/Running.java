package dev.millrace.testkit.job;

import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.query.CommittedStore;
import dev.millrace.internal.engine.query.CommittedStore.Found;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.Split;
import dev.millrace.spi.job.LateRecords;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.InputRecord;
import dev.millrace.testkit.sim.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A job that has begun.
final class Running implements AutoCloseable {
  private static final int STEPS_A_LOOK = 20;

  /// How many steps a job gets at most until it has processed what it is to have processed when it
  /// is crashed or stopped.
  private static final int MOST_STEPS = 2_000;

  /// How many more: some lie between two commits.
  private static final int MORE_STEPS = 30;

  /// When time is to pass, it passes in so many pieces, about, with so many steps in between.
  private static final int PIECES = 1_000;

  private static final int STEPS_A_PIECE = 6;
  private static final Duration SHORTEST_PIECE = Duration.ofMillis(5);
  private static final Duration LONGEST_PIECE = Duration.ofMinutes(1);

  /// The one partition of the dead letters.
  static final Split DEAD_LETTERS = new Split(Shape.DEAD_LETTERS, 0);

  private final Ground ground;
  private final Run run;
  private final Rest rest;
  private final Tail results;
  private final Map<Split, List<ModelRecord>> written = new TreeMap<>();
  private final Seed seed;
  private final Disturbance disturbance;
  private int failures;

  /// How many records were sent since the job was at rest.
  private int pending;

  /// Thrown if the job has ended by itself.
  static final class Stopped extends AssertionError {
    private final Failure failure;

    Stopped(String application, Failure failure) {
      super(
          "'%s' has stopped (%s): %s".formatted(application, failure.kind(), failure.message()),
          failure.cause());
      this.failure = failure;
    }

    Failure failure() {
      return failure;
    }
  }

  private Running(Ground ground, Described described, Shape shape, Disturbance disturbance) {
    this.ground = ground;
    this.disturbance = disturbance;
    run = ground.run();
    seed = new Seed(shape.seed()).fork("test");
    for (String topic : described.sinks()) {
      for (int i = 0; i < described.partitions(topic, shape.partitions()); i++) {
        written.put(new Split(topic, i), new ArrayList<>());
      }
    }
    if (shape.badInput() == OnError.DEAD_LETTER) {
      written.put(DEAD_LETTERS, new ArrayList<>());
    }
    rest = new Rest(run, ground.log(), written.keySet());
    results = new Tail(ground.log(), written.keySet());
  }

  /// Starts a job whose topics hold some input already.
  ///
  /// @param ground closed with the job, and if it cannot begin
  static Running begin(
      Ground ground,
      Described described,
      Shape shape,
      List<InputRecord> input,
      Disturbance disturbance) {
    boolean begun = false;
    try {
      described.specs(shape.partitions()).forEach(ground.log()::createTopic);
      if (shape.badInput() == OnError.DEAD_LETTER) {
        ground.log().createTopic(new TopicSpec(DEAD_LETTERS.stream(), 1, -1, new TreeMap<>()));
      }
      ground.write(input);
      Running job = new Running(ground, described, shape, disturbance);
      job.pending = input.size();
      job.run.startAll();
      begun = true;
      return job;
    } finally {
      if (!begun) {
        ground.close();
      }
    }
  }

  void write(List<InputRecord> records) {
    pending += records.size();
    ground.write(records);
  }

  /// Milliseconds since 1970 (UTC).
  long millis() {
    return run.clock().millis();
  }

  // What a test has the job do.

  /// Works until all is read and committed.
  void rest() {
    rest.disturbed();
    until(rest::reached, true, "come to rest");
    pending = 0;
  }

  /// Works while time goes by.
  void advance(Duration by) {
    long end = run.clock().nanos() + by.toNanos();
    Duration piece = by.dividedBy(PIECES);
    piece = piece.compareTo(SHORTEST_PIECE) < 0 ? SHORTEST_PIECE : piece;
    piece = piece.compareTo(LONGEST_PIECE) > 0 ? LONGEST_PIECE : piece;
    for (long left = by.toNanos(); left > 0; left = end - run.clock().nanos()) {
      work(STEPS_A_PIECE);
      ground.pass(Duration.ofNanos(Math.min(left, piece.toNanos())));
    }
  }

  /// Ends the job in good order in the middle of its work, and starts it again.
  void restart() {
    workSome();
    stopAndStart();
  }

  /// Kills the job in the middle of its work, and starts it again.
  ///
  /// @param hosts whether they are lost with all they have
  void crash(boolean hosts) {
    workSome();
    kill(hosts);
  }

  /// Returns what is committed to a topic's partition.
  List<ModelRecord> written(Split split) {
    if (!written.containsKey(split)) {
      // A record may have chosen it meanwhile.
      if (!ground.log().topics(List.of(split.stream())).containsKey(split.stream())) {
        return List.of();
      }
      written.put(split, new ArrayList<>());
      results.add(split);
    }
    results.read((from, record) -> of(from).add(record));
    return List.copyOf(of(split));
  }

  private List<ModelRecord> of(Split split) {
    return Objects.requireNonNull(written.get(split));
  }

  /// Returns what is committed of an operator's late records, by the start of the window.
  SortedMap<Instant, LateRecords> late(String operator) {
    SortedMap<Instant, LateRecords> all = new TreeMap<>();
    for (Engine engine : engines()) {
      CommittedStore<Long, LateRecords> store = engine.late(operator);
      for (int partition : store.partitionsHere()) {
        for (Found<Long, LateRecords> each :
            answer(store.range(partition, null, null, Integer.MAX_VALUE))) {
          all.merge(Instant.ofEpochMilli(each.key()), each.value(), LateRecords::plus);
        }
      }
    }
    return all;
  }

  /// What is committed of a key in a store, by the first task that has it; null if none has.
  <K, V> @Nullable V stored(String store, Serde<K> keys, Serde<V> values, K key) {
    SortedMap<Integer, V> found = new TreeMap<>();
    for (Engine engine : engines()) {
      CommittedStore<K, V> here = engine.store(store, keys, values);
      for (int partition : here.partitionsHere()) {
        answer(here.get(partition, key)).forEach(value -> found.put(partition, value));
      }
    }
    return found.isEmpty() ? null : found.sequencedValues().getFirst();
  }

  private List<Engine> engines() {
    if (run.completed()) {
      throw new IllegalStateException(
          "The job has ended, so its state cannot be read any more. Advance event time with a later"
              + " record instead of end().");
    }
    return IntStream.range(0, run.containers())
        .mapToObj(i -> Objects.requireNonNull(run.engine(i), "a job at rest runs"))
        .toList();
  }

  private <T> T answer(CompletableFuture<T> question) {
    until(question::isDone, false, "answer");
    return question.join();
  }

  // What happens to it.

  /// Ends the job, and starts it when records have come.
  ///
  /// @param crashed or ends it in good order
  void startBehind(List<InputRecord> records, boolean crashed) {
    if (crashed) {
      end(false);
    } else {
      stop();
    }
    write(records);
    run.startAll();
  }

  void stopAndStart() {
    stop();
    run.startAll();
  }

  /// Ends the job in good order.
  void stop() {
    run.stopAll();
    until(run::allStand, false, "stop");
    for (int i = 0; i < run.containers(); i++) {
      if (run.engine(i) != null) {
        run.crash(i, false); // it has come to its end
      }
    }
  }

  void kill(boolean hosts) {
    end(hosts);
    run.startAll();
  }

  private void end(boolean hosts) {
    for (int i = 0; i < run.containers(); i++) {
      if (hosts) {
        run.loseHost(i);
      } else {
        run.crash(i, seed.coin());
      }
    }
  }

  /// Returns how many commit records of tasks there are.
  long commits() {
    return rest.commits();
  }

  /// Returns how many records were processed since the last start, those between tasks among them.
  long processed() {
    return sum(TaskMetrics::processed);
  }

  /// What was counted since the last start and may be the reason that a result is missing; empty if
  /// nothing was.
  String counted() {
    StringBuilder text = new StringBuilder();
    count(text, sum(TaskMetrics::late), "dropped because they were too late");
    count(text, sum(TaskMetrics::farAhead), "too far ahead of the clock to advance event time");
    count(text, sum(TaskMetrics::waiting), "that wait for answers of other systems");
    return text.toString();
  }

  private static void count(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append("\n  records ").append(what).append(": ").append(count);
    }
  }

  private long sum(ToLongFunction<TaskMetrics> metric) {
    long sum = 0;
    for (int i = 0; i < run.containers(); i++) {
      Engine engine = run.engine(i);
      if (engine != null) {
        for (TaskMetrics each : engine.taskMetrics().values()) {
          sum += metric.applyAsLong(each);
        }
      }
    }
    return sum;
  }

  // Steps.

  private void until(BooleanSupplier reached, boolean disturbed, String what) {
    long steps = run.steps();
    long nanos = run.clock().nanos();
    while (!reached.getAsBoolean()) {
      for (int i = 0; i < STEPS_A_LOOK; i++) {
        run.step();
        if (disturbed) {
          disturbance.stepped(this);
        }
      }
      requireNoFailure();
      if (ground.overdue(run.steps() - steps, Duration.ofNanos(run.clock().nanos() - nanos))) {
        throw new AssertionError("The job does not " + what + ": " + run.state() + counted());
      }
    }
  }

  /// Processes a part of what was sent, and perhaps takes some more steps.
  private void workSome() {
    long goal = processed() + seed.below(pending + 1);
    for (int i = 0; i < MOST_STEPS && processed() < goal; i++) {
      run.step();
    }
    work(seed.coin() ? 0 : seed.below(MORE_STEPS));
  }

  private void work(int steps) {
    for (int i = 0; i < steps; i++) {
      run.step();
    }
    requireNoFailure();
  }

  private void requireNoFailure() {
    List<Failure> all = run.failures();
    if (all.size() > failures) {
      Failure first = all.get(failures);
      failures = all.size();
      throw new Stopped(run.plan().application(), first);
    }
  }

  @Override
  public void close() {
    try (ground;
        rest;
        results) {
      // They are closed in reverse order.
    }
  }
}
