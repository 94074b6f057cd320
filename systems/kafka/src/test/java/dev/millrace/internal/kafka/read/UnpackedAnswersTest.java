package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.ModelCluster;
import dev.millrace.internal.kafka.ScriptedBrokers;
import dev.millrace.spi.RecordBatch;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/// Answers that unpack to very much: a broker bounds them only as long as they are packed.
class UnpackedAnswersTest {
  private static final int VALUE_BYTES = 60_000;
  private static final int MOST_BYTES = 100_000;
  private static final int POLLS = 60;
  private static final long END = 1_000;

  private static ApiMessage answer(
      String connection, ApiKeys api, ApiMessage request, ApiMessage truth) {
    if (!(request instanceof FetchRequestData fetch)) {
      return truth;
    }
    FetchResponseData answer = new FetchResponseData();
    fetch
        .topics()
        .forEach(topic -> {
          FetchableTopicResponse told = new FetchableTopicResponse().setTopicId(topic.topicId());
          topic
              .partitions()
              .forEach(asked ->
                  told.partitions()
                      .add(
                          new PartitionData()
                              .setPartitionIndex(asked.partition())
                              .setHighWatermark(END)
                              .setLastStableOffset(END)
                              .setRecords(zeros(asked.fetchOffset()))));
          answer.responses().add(told);
        });
    return answer;
  }

  private static MemoryRecords zeros(long offset) {
    return MemoryRecords.withRecords(
        offset, Compression.zstd().build(), 0, new SimpleRecord(new byte[VALUE_BYTES]));
  }

  @Test
  void ofAllSplitsTogetherOnlySoMuchIsUnpackedAndEachHasItsTurn() {
    ModelCluster cluster = new ModelCluster();
    cluster.partition(1).move(); // one broker leads all
    List<SplitPosition> splits = ModelClients.splits();
    ScriptedBrokers brokers = new ScriptedBrokers(cluster, UnpackedAnswersTest::answer);
    try (DirectFetcher fetcher = ModelClients.fetcher(brokers, MOST_BYTES)) {
      fetcher.assign(splits);
      splits.forEach(fetcher::seek);
      for (int i = 0; i < POLLS; i++) {
        fetcher.poll(Duration.ofMillis(2));
        long bytes =
            splits.stream()
                .flatMap(split -> split.ready.stream())
                .mapToLong(RecordBatch::memoryBytes)
                .sum();
        assertTrue(bytes < MOST_BYTES / 2 + 2 * VALUE_BYTES, () -> bytes + " bytes at once");
        splits.forEach(UnpackedAnswersTest::drop);
      }
    }
    long most = splits.stream().mapToLong(split -> split.next()).max().orElseThrow();
    long least = splits.stream().mapToLong(split -> split.next()).min().orElseThrow();
    assertTrue(most > POLLS / 10, () -> "Little was read: " + most);
    assertTrue(most - least <= 1, () -> "One is at %d, one at %d".formatted(most, least));
  }

  private static void drop(SplitPosition split) {
    while (!split.ready.isEmpty()) {
      split.ready.remove().release();
    }
  }
}
