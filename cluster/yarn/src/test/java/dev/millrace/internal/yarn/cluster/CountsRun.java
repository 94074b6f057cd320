package dev.millrace.internal.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;

/// The counts on YARN in one container with all tasks, with a broker of their own. First each key
/// gets an event, which fills the state. Then numbered events come at a steady rate, each of which
/// must have exactly one row, with how many events its key has had up to it.
public final class CountsRun extends YarnRun {
  private static final int PARTITIONS = 4;
  private static final int PER_SECOND = 200;
  private static final Duration FILLING = Duration.ofMinutes(10);
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  private final int keys;
  private final KafkaProducer<Long, Long> producer;

  /// By its number, what the row of an event must say; what was not seen yet.
  private final Map<Long, Row> expected = new ConcurrentHashMap<>();

  private final Map<Long, Long> counts = new ConcurrentHashMap<>();

  /// By partition, when the first row of an event came that was sent behind [#mark]; 0 for not yet.
  private final long[] firstNanos = new long[PARTITIONS];

  private long mark;

  private final List<String> wrong = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile long sent;
  private volatile boolean stopped;
  private volatile boolean closing;

  private record Row(long key, long count) {}

  /// How long a killed process took to come back.
  ///
  /// @param mainSeconds until its `main`
  /// @param tasksSeconds until all its tasks processed records
  public record Recovery(double mainSeconds, double tasksSeconds) {}

  public CountsRun(HadoopCluster cluster, Path directory, int keys)
      throws IOException, ExecutionException, InterruptedException {
    super(cluster, directory, "counts", YarnCounts.class);
    this.keys = keys;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
      admin
          .createTopics(
              Stream.of(YarnCounts.INPUT, YarnCounts.OUTPUT)
                  .map(topic -> new NewTopic(topic, PARTITIONS, (short) 1))
                  .toList())
          .all()
          .get();
    }
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap(), "linger.ms", "20"),
            new LongSerializer(),
            new LongSerializer());
  }

  /// Submits it, and returns its process once the state is there and numbered events are processed.
  public Life submitAndFill() throws IOException, InterruptedException {
    for (long key = 0; key < keys; key++) {
      send(key, YarnCounts.UNNUMBERED);
    }
    producer.flush();
    submit(
        List.of("--containers", "1", "--memory", "1GB", "--java-option=-XX:+UseSerialGC"),
        List.of("--commit.interval=100ms"));
    Life life = await(1).getFirst();
    threads.add(Thread.ofPlatform().daemon().start(this::read));
    threads.add(Thread.ofPlatform().daemon().start(this::load));
    Patience.await("The state", FILLING, this::isProcessed);
    return life;
  }

  private synchronized boolean isProcessed() {
    return Arrays.stream(firstNanos).allMatch(first -> first != 0);
  }

  private synchronized void markNow() {
    mark = sent;
    Arrays.fill(firstNanos, 0);
  }

  /// What could not be sent shows by a row that never comes.
  private void send(long key, long number) {
    var _ = producer.send(new ProducerRecord<>(YarnCounts.INPUT, key, number));
  }

  private void load() {
    Random random = new Random(1);
    while (!stopped) {
      long key = random.nextInt(keys);
      long number = sent + 1;
      expected.put(number, new Row(key, counts.merge(key, 1L, Long::sum) + 1));
      send(key, number);
      sent = number;
      try {
        Thread.sleep(1_000 / PER_SECOND);
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  private void read() {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap(), "isolation.level", "read_committed");
    try (KafkaConsumer<Long, byte[]> consumer =
        new KafkaConsumer<>(settings, new LongDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, PARTITIONS)
              .mapToObj(i -> new TopicPartition(YarnCounts.OUTPUT, i))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      while (!closing) {
        for (ConsumerRecord<Long, byte[]> each : consumer.poll(POLL)) {
          note(each);
        }
      }
    }
  }

  private synchronized void note(ConsumerRecord<Long, byte[]> record) {
    long number = YarnCounts.number(record.value());
    Row row = new Row(record.key(), YarnCounts.count(record.value()));
    Row right = expected.remove(number);
    if (!row.equals(right)) {
      wrong.add("%d: %s instead of %s".formatted(number, row, right));
    }
    if (number > mark && firstNanos[record.partition()] == 0) {
      firstNanos[record.partition()] = System.nanoTime();
    }
  }

  /// Kills the process, and waits until each task has processed an event that was sent afterwards.
  public Recovery recovery(Life life) throws IOException {
    List<Life> before = lives();
    long begun = System.nanoTime();
    life.kill();
    markNow();
    assertEquals(life.host(), awaitNew(before).host());
    long started = System.nanoTime();
    Patience.await("All tasks", WAIT, this::isProcessed);
    synchronized (this) {
      long last = Arrays.stream(firstNanos).max().orElseThrow();
      return new Recovery((started - begun) / 1e9, (last - begun) / 1e9);
    }
  }

  /// Returns what the state takes on disks.
  public long stateBytes() throws IOException {
    long all = 0;
    for (String host : HadoopCluster.HOSTS) {
      if (Files.exists(state(host))) {
        try (Stream<Path> files = Files.walk(state(host))) {
          all += files.mapToLong(file -> file.toFile().length()).sum();
        }
      }
    }
    return all;
  }

  /// Stops the events, waits for all rows and compares them; returns how many there were.
  public long compare() throws InterruptedException {
    stopped = true;
    threads.getLast().join();
    producer.flush();
    Patience.await("All rows", WAIT, expected::isEmpty);
    synchronized (this) {
      assertEquals(List.of(), wrong);
    }
    return sent;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    stopped = true;
    closing = true;
    for (Thread each : threads) {
      each.join();
    }
    producer.close(Duration.ZERO);
    super.close();
  }
}
