package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Writes values for [Totals], on a thread of its own, so that there always are some to be read and
/// not too many: first one for each key, then for one key after the other in no order.
final class TotalsLoad implements AutoCloseable {
  static final int PARTITIONS = 4;

  private static final long MOST_AHEAD = 1_000_000;
  private static final int LOOK_EVERY = 50_000;
  private static final long PATIENCE_NANOS = 300_000_000_000L;

  private final TotalsOracle oracle;
  private final int keys;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Thread thread;
  private volatile boolean ending;
  private final AtomicLong sent = new AtomicLong();

  TotalsLoad(String bootstrap, TotalsOracle oracle, int keys)
      throws ExecutionException, InterruptedException {
    this.oracle = oracle;
    this.keys = keys;
    admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap));
    admin
        .createTopics(
            List.of(
                new NewTopic(Totals.IN, Optional.of(PARTITIONS), Optional.empty()),
                new NewTopic(Totals.OUT, Optional.of(PARTITIONS), Optional.empty())))
        .all()
        .get();
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "linger.ms",
                10,
                "batch.size",
                256 << 10,
                // Nothing may be sent twice, and nothing may change places.
                "enable.idempotence",
                false,
                "request.timeout.ms",
                600_000,
                "delivery.timeout.ms",
                700_000,
                "max.in.flight.requests.per.connection",
                1),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    thread = Thread.ofPlatform().daemon().name("load").start(this::load);
  }

  private void load() {
    try {
      while (!ending) {
        if (sent.get() - processed() < MOST_AHEAD) {
          for (int i = 0; i < LOOK_EVERY; i++) {
            send(nextKey());
          }
          producer.flush();
        } else {
          Thread.sleep(50);
        }
      }
    } catch (ExecutionException | InterruptedException e) {
      failure.compareAndSet(null, e);
    }
  }

  private int nextKey() {
    return sent.get() < keys
        ? (int) sent.get()
        : (int) Long.remainderUnsigned(sent.get() * 0x9E3779B97F4A7C15L >>> 11, keys);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a failure is heard of by the callback
  private void send(int key) {
    byte[] keyBytes = ByteBuffer.allocate(Long.BYTES).putLong(key).array();
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(oracle.give(key)).array();
    producer.send(
        new ProducerRecord<>(Totals.IN, keyBytes, value),
        (metadata, thrown) -> {
          if (thrown != null) {
            failure.compareAndSet(null, thrown);
          }
        });
    sent.incrementAndGet();
  }

  /// How many the job has committed.
  private long processed() throws ExecutionException, InterruptedException {
    return admin
        .listConsumerGroupOffsets("totals")
        .partitionsToOffsetAndMetadata()
        .get()
        .values()
        .stream()
        .mapToLong(each -> each.offset())
        .sum();
  }

  /// Writes nothing more.
  ///
  /// @return how many values were written
  long end() throws ExecutionException, InterruptedException {
    ending = true;
    thread.join();
    if (failure.get() != null) {
      throw new AssertionError("The values cannot be written.", failure.get());
    }
    Map<TopicPartition, OffsetSpec> ends =
        IntStream.range(0, PARTITIONS)
            .boxed()
            .collect(
                Collectors.toMap(
                    each -> new TopicPartition(Totals.IN, each), each -> OffsetSpec.latest()));
    long there =
        admin.listOffsets(ends).all().get().values().stream()
            .mapToLong(each -> each.offset())
            .sum();
    if (there != sent.get()) {
      throw new AssertionError("There are %d values, not %d.".formatted(there, sent.get()));
    }
    return sent.get();
  }

  /// Writes one more value of each key, of which the next totals show what is kept of all keys;
  /// behind [#end].
  ///
  /// @return how many values were written, with those before
  long oneMoreOfEachKey() throws ExecutionException, InterruptedException {
    for (int key = 0; key < Math.min(keys, sent.get()); key++) {
      send(key);
    }
    producer.flush();
    return end();
  }

  /// Waits until the job has committed so many more.
  void awaitMore(long values, JavaProcess job) throws ExecutionException, InterruptedException {
    await(processed() + values, job);
  }

  /// Waits until the job has committed all that was written; behind [#end].
  void awaitAll(JavaProcess job) throws ExecutionException, InterruptedException {
    await(sent.get(), job);
  }

  private void await(long values, JavaProcess job) throws ExecutionException, InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (processed() < values) {
      requireLife(job, until);
      Thread.sleep(50);
    }
  }

  /// Waits until the job commits nothing for a while, although there is much to be read.
  void awaitStandstill(JavaProcess job) throws ExecutionException, InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    long before = -1;
    while (before != processed()) {
      requireLife(job, until);
      before = processed();
      Thread.sleep(1_000);
    }
    assertTrue(sent.get() > before, "Nothing is left to be read.");
  }

  private static void requireLife(JavaProcess job, long until) {
    assertTrue(job.isAlive(), job::errors);
    assertTrue(System.nanoTime() - until < 0, () -> "It does not get on. " + job.errors());
  }

  @Override
  public void close() throws InterruptedException {
    ending = true;
    thread.join();
    producer.close();
    admin.close();
  }
}
