package dev.millrace.examples.change;

import dev.millrace.kafka.embedded.NewTopics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/// Writes drawn visits at a steady pace until it is closed, and remembers each. The n-th visit of a
/// user has the number n. Thread-safe.
final class VisitLoad implements AutoCloseable {
  static final int PARTITIONS = 4;
  static final int USERS = 12;

  private static final int MILLIS_BETWEEN = 8;
  private static final int EVENT_MILLIS_BETWEEN = 40;
  private static final int SMALL = 1_000;
  private static final long LARGE = 1L << 40;

  /// A visit that was written.
  record Visit(long weight, long millis) {}

  private final KafkaProducer<String, String> producer;
  private final Random random;
  private final Map<String, List<Visit>> written = new TreeMap<>();
  private final List<Future<RecordMetadata>> sent = new ArrayList<>();
  private final Thread thread;
  private volatile boolean ending;
  private long most = SMALL;
  private long millis;

  VisitLoad(String bootstrap, long seed) throws Exception {
    random = new Random(seed);
    NewTopics.create(
        bootstrap,
        List.of(
            topic(Version.IN, PARTITIONS),
            topic(Version.ACCOUNTS, Version.OUT_PARTITIONS),
            topic(Version.ROOMS, Version.OUT_PARTITIONS),
            topic(Version.WINDOWS, Version.OUT_PARTITIONS)));
    users().forEach(user -> written.put(user, new ArrayList<>()));
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "linger.ms", 5, "enable.idempotence", true),
            new StringSerializer(),
            new StringSerializer());
    thread = Thread.ofPlatform().daemon().name("visits").start(this::work);
  }

  private static NewTopic topic(String name, int partitions) {
    return new NewTopic(name, Optional.of(partitions), Optional.empty());
  }

  static List<String> users() {
    return IntStream.range(0, USERS).mapToObj(user -> "u" + user).toList();
  }

  private void work() {
    while (!ending) {
      write("u" + draw(USERS));
      try {
        Thread.sleep(MILLIS_BETWEEN);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private synchronized int draw(int bound) {
    return random.nextInt(bound);
  }

  private synchronized void write(String user) {
    long weight = random.nextLong(2 * most) - most;
    List<Visit> visits = written.get(user);
    visits.add(new Visit(weight, millis));
    String line = "%s %d %d %d".formatted(user, visits.size(), weight, millis);
    int partition = Integer.parseInt(user.substring(1)) % PARTITIONS;
    sent.add(producer.send(new ProducerRecord<>(Version.IN, partition, user, line)));
    millis += EVENT_MILLIS_BETWEEN;
  }

  /// From now on weights are larger than an `int` holds.
  synchronized void enlarge() {
    most = LARGE;
  }

  /// The numbers of the last visits.
  synchronized Map<String, Long> last() {
    Map<String, Long> last = new HashMap<>();
    written.forEach((user, visits) -> last.put(user, (long) visits.size()));
    return last;
  }

  synchronized long weight(String user, long number) {
    return written.get(user).get((int) number - 1).weight();
  }

  synchronized long count() {
    return sent.size();
  }

  /// How many visits each floor has in each window, by `FLOOR START`.
  synchronized Map<String, Long> windows() {
    Map<String, Long> windows = new TreeMap<>();
    written.forEach((user, visits) -> {
      for (Visit visit : visits) {
        long seconds = visit.millis() / 1_000;
        String window = Version.floor(user) + " " + (seconds - seconds % Version.WINDOW_SECONDS);
        windows.merge(window, 1L, Long::sum);
      }
    });
    return windows;
  }

  /// Ends the visits with one of each user that is much later than all others, and waits until
  /// Kafka has them.
  ///
  /// @return the windows that end before these last visits
  Map<String, Long> end() throws Exception {
    ending = true;
    thread.join();
    Map<String, Long> ended = windows();
    synchronized (this) {
      long window = Version.WINDOW_SECONDS * 1_000L;
      millis = (millis / window + 10) * window; // all of them in one window, which stays open
      users().forEach(this::write);
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    }
    return ended;
  }

  @Override
  public void close() throws InterruptedException {
    ending = true;
    thread.join();
    producer.close();
  }
}
