package dev.millrace.testkit.job;

import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.Source;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.spi.Split;
import dev.millrace.spi.job.LateRecords;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.InputRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/// An application as a job in a test, run by the real engine in the test's own thread: in virtual
/// time on models of Kafka and of the disks, or, by one other word, on an embedded Kafka.
///
/// ```java
/// try (TestJob job = TestJob.of(new WordCount())) {
///   job.input("lines").send("the mill and the race");
///   job.output("word-counts").hasLatest("the", 2L).hasLatest("race", 1L);
/// }
/// ```
///
/// The job begins when it first has anything to do, with the topics that its topology names. Before
/// an output is looked at, everything that was sent is processed and committed. In between the job
/// may be stopped, killed, and started again; nothing of that may be seen in its results. Used by
/// one thread.
public final class TestJob implements AutoCloseable {
  private final StreamApplication application;
  private final On on;
  private final Described described;
  private final Set<String> ended = new TreeSet<>();
  private final List<InputRecord> unsent = new ArrayList<>();

  /// How many records without a key were sent to a topic.
  private final Map<String, Integer> withoutKey = new TreeMap<>();

  private Shape shape = Shape.standard();
  private Disturbance disturbance = Disturbance.NONE;
  private boolean used;
  private boolean closed;
  private long sent;
  private @Nullable Running running;

  private TestJob(On on, StreamApplication application) {
    this.on = on;
    this.application = application;
    described = Described.of(application);
  }

  /// A job in virtual time: it takes milliseconds, and the same calls give the same run.
  ///
  /// @throws dev.millrace.api.InvalidTopologyException if the topology cannot be built
  public static TestJob of(StreamApplication application) {
    return on(On.VIRTUAL_TIME, application);
  }

  /// A job on an embedded Kafka of its own, on RocksDB and in real time, which takes some seconds.
  ///
  /// @throws dev.millrace.api.InvalidTopologyException if the topology cannot be built
  public static TestJob onKafka(StreamApplication application) {
    return on(On.KAFKA, application);
  }

  /// A job on one or the other.
  public static TestJob on(On on, StreamApplication application) {
    return new TestJob(on, application);
  }

  // How it is set up, before it is used.

  /// Another order of what is not determined: which task works next, how many records are read at a
  /// time, and when the job is stopped or killed. In virtual time the seed, 1 unless another is
  /// given, determines all of it.
  public TestJob seed(long seed) {
    return shaped(shape.withSeed(seed));
  }

  /// How many partitions topics have for which the application does not say: 3 unless given.
  public TestJob partitions(int partitions) {
    return shaped(shape.withPartitions(partitions));
  }

  /// How many processes the job consists of: 1 unless given.
  public TestJob containers(int containers) {
    return shaped(shape.withContainers(containers, shape.workers()));
  }

  /// How long a partition has no records until the others go on without it in event time: 30
  /// seconds unless given.
  public TestJob idleAfter(Duration time) {
    return shaped(shape.withIdleAfter(time));
  }

  /// What the job's clock shows at first in virtual time: the beginning of 2026 (UTC) unless given.
  public TestJob startingAt(Instant time) {
    return shaped(shape.withStart(time));
  }

  /// Has what cannot be processed passed over, or sent to [#deadLetters]; otherwise it stops the
  /// job, see [#failure].
  public TestJob onError(OnError policy) {
    return shaped(shape.withBadInput(policy));
  }

  TestJob shaped(Shape newShape) {
    if (used) {
      throw new IllegalStateException(
          "How a job is set up is said before it gets an input or an output.");
    }
    shape = newShape;
    return this;
  }

  TestJob disturbed(Disturbance newDisturbance) {
    disturbance = newDisturbance;
    return this;
  }

  // What goes in and what comes out.

  /// A topic that the application reads, with the types that its source has there.
  public TestInput<Object, Object> input(String topic) {
    Source<Object> source = described.source(topic);
    return input(topic, Described.keySerde(source), source.valueSerde());
  }

  /// A topic that the application reads.
  public <V> TestInput<Bytes, V> input(KafkaSource<V> source) {
    return input(source.stream(), null, source.valueSerde());
  }

  /// A topic that the application reads.
  public <K, V> TestInput<K, V> input(KafkaKeyedSource<K, V> source) {
    return input(source.stream(), source.keySerde(), source.valueSerde());
  }

  private <K, V> TestInput<K, V> input(
      String topic, @Nullable Serde<K> keySerde, Serde<V> valueSerde) {
    requireOpen();
    described.source(topic);
    used = true;
    return new TestInput<>(this, topic, partitions(topic), keySerde, valueSerde);
  }

  /// A topic that the application writes, with the types that its sink has there.
  public TestOutput<Object, Object> output(String topic) {
    Sink<Object, Object> sink = described.sink(topic);
    return output(topic, Described.keySerde(sink), sink.valueSerde());
  }

  /// A topic that the application writes.
  public <V> TestOutput<Bytes, V> output(KafkaSink<V> sink) {
    return output(sink.stream(), null, sink.valueSerde());
  }

  /// A topic that the application writes.
  public <K, V> TestOutput<K, V> output(KafkaKeyedSink<K, V> sink) {
    return output(sink.stream(), sink.keySerde(), sink.valueSerde());
  }

  private <K, V> TestOutput<K, V> output(
      String topic, @Nullable Serde<K> keySerde, Serde<V> valueSerde) {
    requireOpen();
    described.sink(topic);
    used = true;
    return new TestOutput<>(this, topic, partitions(topic), keySerde, valueSerde);
  }

  /// What could not be processed, in the order it was written; only if [#onError] says that it goes
  /// there. First has the job process and commit all that was sent.
  public List<TestLetter> deadLetters() {
    return written(Running.DEAD_LETTERS).stream().map(TestLetter::of).toList();
  }

  /// The late records of an operator with windows, by the start of the window: how many corrected
  /// its result, how many came too late, and how late the latest was. Windows that nothing came
  /// late for are not there. First has the job process and commit all that was sent.
  ///
  /// @param operator such as the name of an aggregation
  /// @throws dev.millrace.spi.job.QueryException if it has no windows that end at a time
  /// @throws IllegalStateException if all input has ended, and the job with it
  public SortedMap<Instant, LateRecords> late(String operator) {
    return resting().late(operator);
  }

  /// A store of the application.
  ///
  /// @param name of the store, such as that of an aggregation
  /// @param keys as the store has them
  /// @param values as the store has them
  public <K, V> TestStore<K, V> store(String name, Serde<K> keys, Serde<V> values) {
    requireOpen();
    used = true;
    return new TestStore<>(this, name, keys, values);
  }

  void send(InputRecord record) {
    requireOpen();
    if (running != null && ended.contains(record.split().stream())) {
      throw new IllegalStateException(
          "Topic '%s' has ended; what comes now is not read.".formatted(record.split().stream()));
    }
    unsent.add(record);
    sent++;
  }

  /// The partition whose turn it is to get a record without a key.
  int nextPartition(String topic) {
    int before = withoutKey.getOrDefault(topic, 0);
    withoutKey.put(topic, before + 1);
    return before % partitions(topic);
  }

  /// How many records were sent so far.
  long sent() {
    return sent;
  }

  void end(String topic) {
    requireOpen();
    if (running != null) {
      throw new IllegalStateException(
          "The job reads topic '%s' already; say end() before the job does anything."
              .formatted(topic));
    }
    ended.add(topic);
  }

  /// Milliseconds since 1970 (UTC), by the job's clock.
  long millis() {
    if (running != null) {
      return running.millis();
    }
    return on == On.VIRTUAL_TIME ? shape.start().toEpochMilli() : System.currentTimeMillis();
  }

  // What it does.

  /// Processes everything that was sent, waits for what is asked of other systems, and commits all
  /// of it. Looking at an output does so by itself.
  ///
  /// @throws AssertionError if the job stops, and says why
  public TestJob process() {
    begun().rest();
    return this;
  }

  /// Processes everything that was sent, lets time pass, and processes what that brings about:
  /// partitions become idle, timers in processing time fire, values live to their end. Event time
  /// does not pass by itself.
  public TestJob advance(Duration time) {
    Running job = begun();
    job.rest();
    job.advance(time);
    job.rest();
    return this;
  }

  /// Stops the job in good order, at some moment while it processes what was sent last, and starts
  /// it again.
  public TestJob restart() {
    begun().restart();
    return this;
  }

  /// Kills all processes of the job, at some moment while it processes what was sent last, and
  /// starts them again. In virtual time their hosts may lose power with them, and what was not
  /// synced.
  public TestJob crash() {
    begun().crash(false);
    return this;
  }

  /// The same, and all local state is lost, too.
  public TestJob crashLosingDisks() {
    begun().crash(true);
    return this;
  }

  /// Processes what was sent until that stops the job for good.
  ///
  /// @return why it cannot go on
  /// @throws AssertionError if it can
  public String failure() {
    try {
      process();
    } catch (Running.Stopped e) {
      return e.failure().message();
    }
    throw new AssertionError("The job should have stopped, and works. " + situation());
  }

  private Running begun() {
    requireOpen();
    used = true;
    List<InputRecord> input = List.copyOf(unsent);
    unsent.clear();
    Running job = running;
    if (job == null) {
      StreamApplication ending = new EndedInputs(application, ended);
      List<String> streams = List.copyOf(described.sources());
      job =
          Running.begin(
              Ground.of(on, ending, shape, streams), described, shape, input, disturbance);
      running = job;
    } else {
      job.write(input);
    }
    return job;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The job is closed.");
    }
  }

  Described described() {
    return described;
  }

  int partitions(String topic) {
    return described.partitions(topic, shape.partitions());
  }

  /// The job, when all that was sent is processed and committed.
  Running resting() {
    Running job = begun();
    job.rest();
    return job;
  }

  /// What is committed to a partition when the job has come to rest.
  List<ModelRecord> written(Split split) {
    return resting().written(split);
  }

  /// A failed assertion that says what a reader needs.
  AssertionFailedError failed(String what, Object expected, Object found) {
    return failed(what, expected, found, List.of());
  }

  /// The same, with records that show it.
  AssertionFailedError failed(String what, Object expected, Object found, List<?> records) {
    StringBuilder text = new StringBuilder(what);
    text.append("\n  expected: ").append(expected);
    text.append("\n  found:    ").append(found);
    for (Object record : records) {
      text.append("\n  ").append(record);
    }
    text.append("\n  ").append(situation());
    return new AssertionFailedError(text.toString(), expected, found);
  }

  /// What the job ran on, and what it counted that may be the reason for what is missing.
  String situation() {
    String where =
        on == On.VIRTUAL_TIME
            ? "'%s' ran in virtual time under seed %d: .seed(%d) repeats it."
                .formatted(described.application(), shape.seed(), shape.seed())
            : "'%s' ran on an embedded Kafka.".formatted(described.application());
    return running == null ? where : where + running.counted();
  }

  /// Ends the job and removes all it has left.
  @Override
  public void close() {
    closed = true;
    Running job = running;
    running = null;
    if (job != null) {
      job.close();
    }
  }
}
