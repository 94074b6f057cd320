package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.client.Closing;
import dev.millrace.spi.BatchPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/// By the official consumer, to which partitions are assigned by hand.
public final class OfficialFetcher implements RecordFetcher {
  private static final Duration CLOSE = Duration.ofSeconds(2);

  private final Closing closing;
  private final Landing landing;
  private final KafkaConsumer<Landing.Place, Landing.Place> consumer;
  private final Batching batching;
  private final Map<TopicPartition, SplitPosition> assigned = new HashMap<>();

  public OfficialFetcher(
      Function<Landing, KafkaConsumer<Landing.Place, Landing.Place>> consumers,
      BatchPool pool,
      Closing closing) {
    this.closing = closing;
    landing = new Landing(pool);
    consumer = consumers.apply(landing);
    batching = new Batching(pool, landing);
  }

  @Override
  public void assign(Collection<SplitPosition> splits) {
    assigned.clear();
    splits.forEach(each -> assigned.put(each.partition, each));
    consumer.assign(assigned.keySet());
  }

  @Override
  public void seek(SplitPosition split) {
    Optional<Integer> epoch =
        split.leaderEpoch() < 0 ? Optional.empty() : Optional.of(split.leaderEpoch());
    consumer.seek(split.partition, new OffsetAndMetadata(split.next(), epoch, ""));
  }

  @Override
  public void pause(SplitPosition split) {
    consumer.pause(List.of(split.partition));
  }

  @Override
  public void resume(SplitPosition split) {
    consumer.resume(List.of(split.partition));
  }

  @Override
  public long stableEnd(SplitPosition split) {
    try {
      OptionalLong lag = consumer.currentLag(split.partition);
      return lag.isPresent() ? split.next() + lag.getAsLong() : -1;
    } catch (WakeupException e) {
      // It was meant for a poll.
      consumer.wakeup();
      return -1;
    }
  }

  @Override
  public Collection<SplitPosition> poll(Duration atMost) {
    try {
      ConsumerRecords<Landing.Place, Landing.Place> records = consumer.poll(atMost);
      List<SplitPosition> moved = new ArrayList<>();
      for (Map.Entry<TopicPartition, OffsetAndMetadata> next : records.nextOffsets().entrySet()) {
        SplitPosition split = assigned.get(next.getKey());
        if (split != null && next.getValue().offset() > split.next()) {
          split.heard(System.nanoTime());
          batching.add(split, records, next.getValue());
          moved.add(split);
        }
      }
      return moved;
    } finally {
      landing.clear();
    }
  }

  @Override
  public int metadataUpdates() {
    return landing.metadataUpdates();
  }

  @Override
  public long heldBytes() {
    return landing.data().array().length;
  }

  @Override
  public void wakeup() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    landing.release();
    closing.close("a consumer", () -> consumer.close(CloseOptions.timeout(CLOSE)));
  }
}
