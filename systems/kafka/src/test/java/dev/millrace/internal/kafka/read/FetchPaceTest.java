package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.ModelCluster;
import dev.millrace.internal.kafka.ScriptedBrokers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How often a broker is asked for records that it always has.
@Timeout(60)
class FetchPaceTest {
  private static final int ANSWERS = 100;

  private int valueBytes = 10;
  private int asked;

  /// Polls without records behind the first that had some.
  private int inVain;

  /// One record of each partition.
  private ApiMessage answer(String connection, ApiKeys api, ApiMessage request, ApiMessage truth) {
    if (request instanceof FetchRequestData fetch && truth instanceof FetchResponseData told) {
      asked++;
      for (int i = 0; i < told.responses().size(); i++) {
        var partitions = fetch.topics().get(i).partitions();
        for (int j = 0; j < partitions.size(); j++) {
          told.responses()
              .get(i)
              .partitions()
              .get(j)
              .setErrorCode((short) 0)
              .setDivergingEpoch(new EpochEndOffset())
              .setRecords(
                  MemoryRecords.withRecords(
                      partitions.get(j).fetchOffset(),
                      Compression.NONE,
                      0,
                      new SimpleRecord(new byte[valueBytes])));
        }
      }
    }
    return truth;
  }

  /// Fetches until records have come a hundred times.
  ///
  /// @return how often a broker was asked, a millisecond
  private double requestsAMilli() {
    ModelCluster cluster = new ModelCluster();
    cluster.partition(1).move(); // one broker leads all
    List<SplitPosition> splits = ModelClients.splits();
    int news = 0;
    long begun = System.nanoTime();
    try (DirectFetcher fetcher = ModelClients.fetcher(new ScriptedBrokers(cluster, this::answer))) {
      fetcher.assign(splits);
      splits.forEach(fetcher::seek);
      while (news < ANSWERS) {
        fetcher.poll(Duration.ZERO);
        if (splits.stream().anyMatch(split -> !split.ready.isEmpty())) {
          news++;
        } else if (news > 0) {
          inVain++;
        }
        for (SplitPosition split : splits) {
          while (!split.ready.isEmpty()) {
            split.ready.remove().release();
          }
        }
      }
    }
    return (double) asked / TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
  }

  @Test
  void whoGetsLittleAsksOnceAMilli() {
    double each = requestsAMilli();
    assertTrue(each <= 1.05, () -> each + " requests a millisecond");
  }

  @Test
  void whoGetsMuchHasAskedAgainWhenItHasIt() {
    valueBytes = 100_000;
    var _ = requestsAMilli();
    assertEquals(0, inVain, "polls without records");
  }
}
