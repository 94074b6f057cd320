package dev.millrace.benchmarks.process;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Writes records whose keys are numbers of eight bytes.
public final class Producing implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TELL_EVERY = 100_000;

  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final List<Thread> trickles = new ArrayList<>();
  private final AtomicLong written = new AtomicLong();
  private volatile boolean closing;

  public Producing(String bootstrap) {
    producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap,
                // With it, a batch that a new partition refused is out of order for ever if the
                // next one was taken. A record twice does no harm here.
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false",
                // What trickles is bundled: a consumer is told of each bundle, and the official one
                // would keep two cores busy if that were thousands a second.
                ProducerConfig.LINGER_MS_CONFIG, "50",
                ProducerConfig.BATCH_SIZE_CONFIG, "262144",
                ProducerConfig.BUFFER_MEMORY_CONFIG, "67108864"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /// Creates a topic.
  public static void createTopic(String bootstrap, String topic, int partitions)
      throws InterruptedException, ExecutionException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
  }

  /// Waits until a topic that somebody else creates is there.
  public static void awaitTopic(String bootstrap, String topic)
      throws InterruptedException, ExecutionException, TimeoutException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      while (!admin.listTopics().names().get().contains(topic)) {
        if (System.nanoTime() > end) {
          throw new TimeoutException(
              "Topic '%s' does not exist after %s".formatted(topic, PATIENCE));
        }
        Thread.sleep(100);
      }
    }
  }

  /// Deletes the topics whose names start so.
  public static void deleteTopics(String bootstrap, String prefix)
      throws InterruptedException, ExecutionException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      List<String> named =
          admin.listTopics().names().get().stream()
              .filter(each -> each.startsWith(prefix))
              .toList();
      admin.deleteTopics(named).all().get();
    }
  }

  /// Writes records with the keys that a function gives for 0, 1, and so on, and waits until they
  /// are there.
  ///
  /// @param progress is told now and then how many were sent
  public void write(
      String topic, long records, LongUnaryOperator key, int valueBytes, LongConsumer progress) {
    byte[] value = new byte[valueBytes];
    for (long i = 0; i < records; i++) {
      send(topic, key.applyAsLong(i), value);
      if (i % TELL_EVERY == 0) {
        progress.accept(i);
      }
    }
    producer.flush();
    requireSent();
  }

  private void send(String topic, long key, byte[] value) {
    var _ =
        producer.send(
            new ProducerRecord<>(
                topic, ByteBuffer.allocate(Long.BYTES).putLong(key).array(), value),
            (_, thrown) -> {
              if (thrown == null) {
                written.incrementAndGet();
              } else {
                failure.compareAndSet(null, thrown);
              }
            });
  }

  private void requireSent() {
    Exception thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("Records could not be written: " + thrown, thrown);
    }
  }

  /// How many records Kafka has acknowledged. Thread-safe.
  public long written() {
    return written.get();
  }

  /// Goes on writing records with keys drawn from a range, so many a second, until this is closed.
  public void trickle(String topic, long keys, int perSecond, int valueBytes) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("trickle")
            .start(() -> {
              byte[] value = new byte[valueBytes];
              long start = System.nanoTime();
              for (long sent = 0; !closing; sent++) {
                // A step that has no factor in common with powers of two visits all keys.
                send(topic, (sent * 0x9E3779B97F4A7C15L >>> 1) % keys, value);
                long due = start + sent * 1_000_000_000 / perSecond;
                while (System.nanoTime() < due && !closing) {
                  LockSupport.parkNanos(1_000_000);
                }
              }
            });
    trickles.add(thread);
  }

  /// Ends what goes on, and waits until all is acknowledged.
  public void stop() {
    closing = true;
    for (Thread thread : trickles) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    producer.flush();
  }

  @Override
  public void close() {
    stop();
    producer.close();
  }
}
