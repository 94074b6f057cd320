package dev.millrace.testkit.job;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.sources.InputPartitions;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Split;
import dev.millrace.testkit.job.OddRun.Found;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.InputRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// An application of [EachOperator] that reads plain records of a log to which things happen that
/// the records do not show.
final class OddLogRun implements AutoCloseable {
  /// So many records of each topic are there when the job begins, in most runs.
  static final int HALF = OddRun.RECORDS / 2;

  /// Within it everything that can be read is processed and committed.
  private static final Duration SOON = Duration.ofSeconds(2);

  private static final int MOST_MILLIS = 10_000;

  private final OddRun plain;
  private final StreamApplication application;
  private final Described described;
  private final Shape shape;
  private final VirtualGround ground;
  private @Nullable Running job;

  /// Topics of one partition.
  ///
  /// @param bounded whether all topics end where they do when the job begins
  OddLogRun(String operator, boolean bounded) {
    this(operator, bounded, 1);
  }

  private OddLogRun(String operator, boolean bounded, int partitions) {
    plain = plain(operator);
    shape = Shape.standard().withPartitions(partitions).withBatch(OddRun.BATCH);
    StreamApplication endless =
        new EachOperator<>(Oddity.PLAIN, Oddity.PLAIN).application(operator);
    described = Described.of(endless);
    application = bounded ? new EndedInputs(endless, described.sources()) : endless;
    ground =
        new VirtualGround(application, shape, shape.settings(List.copyOf(described.sources())));
    described.specs(shape.partitions()).forEach(ground.log()::createTopic);
  }

  /// Topics of some partitions that do not end.
  static OddLogRun withPartitions(String operator, int partitions) {
    return new OddLogRun(operator, false, partitions);
  }

  /// Whether a record behind an exchange is late is chance: there none is.
  static OddRun plain(String operator) {
    OddRun plain = OddRun.of(operator, Oddity.none());
    boolean exchanged = operator.contains("roupBy") || operator.contains("of groups");
    return exchanged ? plain.inOrder() : plain;
  }

  String operator() {
    return plain.operator();
  }

  ModelLog log() {
    return ground.log();
  }

  /// The topics that it reads, in the order in which they are written.
  List<String> topics() {
    return OddRun.TOPICS.stream().filter(described.sources()::contains).toList();
  }

  /// The records of a topic with some numbers.
  List<InputRecord> records(String topic, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(number -> plain.records(topic, number))
        .flatMap(List::stream)
        .map(record -> toPartition(record, shape.partitions()))
        .toList();
  }

  /// The record where a producer writes it.
  static InputRecord toPartition(InputRecord record, int partitions) {
    Bytes key = Objects.requireNonNull(record.key());
    return inPartition(record, Partitioner.partition(key, partitions));
  }

  private static InputRecord inPartition(InputRecord record, int partition) {
    Split split = new Split(record.split().stream(), partition);
    return new InputRecord(split, record.timestamp(), record.key(), record.value());
  }

  /// The first record of the second half whose key is not in the partition where it was, but in one
  /// that there was, when its topic has more partitions.
  InputRecord moved(String topic, int partitions) {
    return secondHalf(topic).stream()
        .filter(record -> {
          int partition = toPartition(record, partitions).split().partition();
          return partition < shape.partitions() && partition != record.split().partition();
        })
        .findFirst()
        .orElseThrow();
  }

  /// What a job is given for a record that was moved when nobody has added partitions. Without keys
  /// a record may lie anywhere.
  InputRecord unmoved(InputRecord record, int partitions) {
    boolean keyed = described.source(record.split().stream()).keySerde() != null;
    return keyed ? record : toPartition(record, partitions);
  }

  /// Gives a topic more partitions.
  void grow(String topic, int partitions) {
    log().addPartitions(topic, partitions);
  }

  /// What containers find when they look whether topics have other partitions.
  List<InputPartitions.Changed> changes() {
    return Objects.requireNonNull(ground.run().engine(0)).inputPartitions().look();
  }

  /// Why the job is not started again by the plan that is made of what there is now; null if it is.
  @Nullable String refusal() {
    return refusal(application);
  }

  /// The same with a changed application of the same name.
  @Nullable String refusal(StreamApplication changed) {
    Plan before = ground.run().plan();
    log().createTopic(VersionLog.topic(before.application()));
    try (VersionLog versions = versions(before)) {
      await(versions, VersionLog.State.CHECKED);
      versions.propose();
      await(versions, VersionLog.State.RECORDED);
    }
    log().advance(SOON);
    ground.run().application(changed);
    try (VersionLog versions = versions(ground.run().plan())) {
      await(versions, VersionLog.State.CHECKED);
      return null;
    } catch (PlanRefusedException e) {
      return e.getMessage();
    }
  }

  private VersionLog versions(Plan plan) {
    return new VersionLog(
        ApplicationName.of(plan.application()), _ -> plan.description(), "", log(), log().clock());
  }

  private void await(VersionLog versions, VersionLog.State state) {
    for (int i = 0; versions.state() != state; i++) {
      if (i == MOST_MILLIS) {
        throw new AssertionError("The versions are " + versions.state());
      }
      versions.step();
      log().advance(Duration.ofMillis(1));
    }
  }

  /// The first half of the records of all topics.
  List<InputRecord> firstHalves() {
    return topics().stream().flatMap(topic -> records(topic, 0, HALF).stream()).toList();
  }

  /// The other half of a topic's records.
  List<InputRecord> secondHalf(String topic) {
    return records(topic, HALF, OddRun.RECORDS);
  }

  /// A record of each partition of a topic that closes windows. Its key stays where it is when the
  /// topic is given more partitions.
  ///
  /// @param more how many it may be given
  List<InputRecord> closing(String topic, int more) {
    return IntStream.range(0, shape.partitions())
        .mapToObj(partition ->
            IntStream.iterate(9, i -> i + 1)
                .mapToObj(i -> plain.closing(topic, "k" + i))
                .filter(record -> isIn(record, partition, shape.partitions()))
                .filter(record -> isIn(record, partition, more))
                .findFirst()
                .orElseThrow())
        .map(record -> toPartition(record, shape.partitions()))
        .toList();
  }

  /// A record that closes windows for each partition that a topic would have.
  List<InputRecord> closingEach(String topic, int partitions) {
    return IntStream.range(0, partitions)
        .mapToObj(partition ->
            IntStream.iterate(9, i -> i + 1)
                .mapToObj(i -> plain.closing(topic, "k" + i))
                .filter(record -> isIn(record, partition, partitions))
                .findFirst()
                .orElseThrow())
        .toList();
  }

  private static boolean isIn(InputRecord record, int partition, int partitions) {
    return toPartition(record, partitions).split().partition() == partition;
  }

  /// Writes records; they are there when it returns.
  void write(List<InputRecord> records) {
    if (job == null) {
      ground.write(records);
    } else {
      job.write(records);
    }
  }

  /// Writes records with others between them and behind them that are taken back.
  void writeBetweenAborted(List<InputRecord> records) {
    try (Stranger stranger = new Stranger(log(), records.getFirst().split())) {
      for (InputRecord record : records) {
        write(List.of(record));
        Bytes other = Bytes.ofUtf8("x99");
        stranger.send(
            List.of(
                new InputRecord(record.split(), record.timestamp() + 10_000, record.key(), other)));
        stranger.abort();
      }
    }
  }

  /// Starts the job.
  ///
  /// @param input written before, besides what is there already
  void begin(List<InputRecord> input) {
    job = Running.begin(ground, described, shape, input, Disturbance.NONE);
  }

  /// Deletes a topic while the job does not run, makes it anew, and starts the job.
  ///
  /// @param records that it has then
  void beginWithTopicMadeAnew(String topic, List<InputRecord> records) {
    job().stop();
    log().deleteTopic(topic);
    described.specs(shape.partitions()).stream()
        .filter(each -> each.name().equals(topic))
        .forEach(log()::createTopic);
    ground.write(records);
    ground.run().application(application);
    ground.run().startAll();
  }

  /// Starts the job again, as a new process with a changed application does.
  void beginChanged(StreamApplication changed) {
    job().stop();
    ground.run().application(changed);
    ground.run().startAll();
  }

  /// Has the job go on until it stops.
  ///
  /// @return why it has
  String failure() {
    try {
      job().rest();
    } catch (Running.Stopped e) {
      return e.failure().message();
    }
    throw new AssertionError(plain.operator() + " goes on, and has written " + now());
  }

  Running job() {
    return Objects.requireNonNull(job, "has not begun");
  }

  /// What is written when the job has come to rest.
  Found rest() {
    job().rest();
    return now();
  }

  /// What is written soon, whether or not the job comes to rest.
  Found soon() {
    job().advance(SOON);
    return now();
  }

  /// Whether the job has come to its end.
  boolean isOver() {
    return ground.run().completed();
  }

  Found now() {
    return plain.found(described, written(), List.of(), false);
  }

  private List<ModelRecord> written() {
    List<ModelRecord> written = new ArrayList<>();
    // A topic of a pattern is there when a record has chosen it, with partitions of its own.
    int partitions =
        ground.log().partitions(List.of(EachOperator.OUT)).getOrDefault(EachOperator.OUT, 0);
    for (int i = 0; i < partitions; i++) {
      written.addAll(job().written(new Split(EachOperator.OUT, i)));
    }
    return written;
  }

  @Override
  public void close() {
    if (job == null) {
      ground.close();
    } else {
      job.close();
    }
  }
}
