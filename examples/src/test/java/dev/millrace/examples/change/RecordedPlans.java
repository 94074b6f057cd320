package dev.millrace.examples.change;

import dev.millrace.kafka.embedded.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/// Watches from outside how a start records its plan, so that it can be killed meanwhile.
final class RecordedPlans implements AutoCloseable {
  private static final TopicPartition TOPIC = new TopicPartition(Version.NAME + "-versions", 0);
  private static final String WRITER = Version.NAME + "@versions";
  private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /// When a start is killed.
  enum Moment {
    NEVER,
    /// Some time after the process was started.
    SOMETIME,
    /// As soon as it has opened the one writer of plans.
    WRITER_OPEN,
    /// As soon as its plan was sent.
    PLAN_SENT,
    /// As soon as its plan is recorded.
    PLAN_RECORDED
  }

  private static final String PLAN = "plan/";
  private static final Duration POLL = Duration.ofMillis(20);

  private final Admin admin;
  private final KafkaConsumer<String, byte[]> committed;
  private long sent;
  private long writer;
  private boolean recorded;

  RecordedPlans(String bootstrap) {
    admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    committed =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    committed.assign(List.of(TOPIC));
  }

  /// What is there by now is not awaited.
  void mark() {
    sent = end();
    writer = writer();
    recorded = false;
    committed.seek(TOPIC, sent);
  }

  /// Waits for a moment after the [mark][#mark].
  ///
  /// @param millis at most, for [Moment#SOMETIME]
  void await(Moment moment, int millis, Random random) {
    Patience patience = Patience.of(PATIENCE);
    long begun = System.nanoTime();
    long some = Duration.ofMillis(random.nextInt(millis)).toNanos();
    while (!is(moment, System.nanoTime() - begun >= some)) {
      if (patience.isOver()) {
        throw new AssertionError("No moment " + moment + " within " + patience + ".");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private boolean is(Moment moment, boolean isSome) {
    return switch (moment) {
      case NEVER -> true;
      case SOMETIME -> isSome;
      case WRITER_OPEN -> writer() != writer;
      case PLAN_SENT -> end() > sent;
      case PLAN_RECORDED -> isRecorded();
    };
  }

  /// Whether a plan was recorded after the [mark][#mark], and not only sent.
  boolean isRecorded() {
    if (!recorded) {
      committed.poll(POLL).forEach(each -> recorded |= each.key().startsWith(PLAN));
    }
    return recorded;
  }

  private long end() {
    return get(admin
            .listOffsets(
                Map.of(TOPIC, OffsetSpec.latest()),
                new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
            .partitionResult(TOPIC))
        .offset();
  }

  /// Another one with each opening.
  private long writer() {
    TransactionDescription found =
        get(admin.describeTransactions(List.of(WRITER)).description(WRITER));
    return found.producerId() * (Short.MAX_VALUE + 1) + found.producerEpoch();
  }

  private static <T> T get(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError("The plans of '" + Version.NAME + "' cannot be watched.", e);
    }
  }

  @Override
  public void close() {
    committed.close();
    admin.close();
  }
}
