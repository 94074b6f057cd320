package dev.millrace.testkit.job;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Bytes;
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

  private static final Split OUT = new Split(EachOperator.OUT, 0);

  private final OddRun plain;
  private final StreamApplication application;
  private final Described described;
  private final Shape shape = Shape.standard().withPartitions(1).withBatch(OddRun.BATCH);
  private final VirtualGround ground;
  private @Nullable Running job;

  /// @param bounded whether all topics end where they do when the job begins
  OddLogRun(String operator, boolean bounded) {
    plain = plain(operator);
    StreamApplication endless =
        new EachOperator<>(Oddity.PLAIN, Oddity.PLAIN).application(operator);
    described = Described.of(endless);
    application = bounded ? new EndedInputs(endless, described.sources()) : endless;
    ground =
        new VirtualGround(application, shape, shape.settings(List.copyOf(described.sources())));
    described.specs(shape.partitions()).forEach(ground.log()::createTopic);
  }

  /// Whether a record behind an exchange is late is chance: there none is.
  static OddRun plain(String operator) {
    OddRun plain = OddRun.of(operator, Oddity.none());
    return operator.contains("roupBy") ? plain.inOrder() : plain;
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
        .toList();
  }

  /// The first half of the records of all topics.
  List<InputRecord> firstHalves() {
    return topics().stream().flatMap(topic -> records(topic, 0, HALF).stream()).toList();
  }

  /// The other half of a topic's records.
  List<InputRecord> secondHalf(String topic) {
    return records(topic, HALF, OddRun.RECORDS);
  }

  /// A record of a topic that closes windows.
  List<InputRecord> closing(String topic) {
    return List.of(plain.closing(topic));
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
    start();
  }

  /// Starts the job as a new process does, which plans by what topics there are.
  private void start() {
    ground.run().application(application);
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
    return new ArrayList<>(job().written(OUT));
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
