package dev.millrace.kafka;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/// How often a broker is asked for records that it always has.
class FetchPaceTest {
  private static final Duration TIME = Duration.ofMillis(300);

  private int valueBytes = 10;
  private int asked;

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

  /// @return how often a broker was asked, a millisecond
  private double requestsAMilli() {
    ModelCluster cluster = new ModelCluster();
    cluster.partition(1).move(); // one broker leads all
    List<ReadSplit> splits = ModelClients.splits();
    asked = 0;
    long begun = System.nanoTime();
    try (DirectFetcher fetcher = ModelClients.fetcher(new ScriptedBrokers(cluster, this::answer))) {
      fetcher.assign(splits);
      splits.forEach(fetcher::seek);
      while (System.nanoTime() - begun < TIME.toNanos()) {
        fetcher.poll(Duration.ZERO);
        for (ReadSplit split : splits) {
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
    assertTrue(each > 0.02 && each <= 1.05, () -> each + " requests a millisecond");
  }

  @Test
  void whoGetsMuchAsksAgainAtOnce() {
    double little = requestsAMilli();
    valueBytes = 100_000;
    double much = requestsAMilli();
    assertTrue(much > 1.5 * little, () -> "%f and %f".formatted(much, little));
  }
}
