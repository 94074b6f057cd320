package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.ModelCluster;
import dev.millrace.internal.kafka.ScriptedBrokers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What keeps a reader from its records when it turns to other splits: a request that waits at the
/// broker, and leaders that are not known.
@Timeout(60)
class FetchPatienceTest {
  private static final Duration PATIENCE = Duration.ofMillis(20);

  private final List<Integer> waits = new ArrayList<>();
  private int metadataRequests;

  private ApiMessage answer(String connection, ApiKeys api, ApiMessage request, ApiMessage truth) {
    if (request instanceof FetchRequestData fetch) {
      waits.add(fetch.maxWaitMs());
    }
    metadataRequests += api == ApiKeys.METADATA ? 1 : 0;
    return truth;
  }

  private DirectFetcher fetcher() {
    return ModelClients.fetcher(
        new ScriptedBrokers(new ModelCluster(), this::answer), 16 << 20, PATIENCE);
  }

  private static void poll(DirectFetcher fetcher, Duration atMost, BooleanSupplier until) {
    do {
      fetcher.poll(atMost);
    } while (!until.getAsBoolean());
  }

  @Test
  void brokersWaitBrieflyForWhoDoesNotWait() {
    List<SplitPosition> splits = ModelClients.splits();
    try (DirectFetcher fetcher = fetcher()) {
      fetcher.assign(splits);
      splits.forEach(fetcher::seek);
      poll(fetcher, Duration.ZERO, () -> waits.size() >= 10);
      assertTrue(waits.stream().allMatch(each -> each <= 5), waits::toString);
      poll(fetcher, Duration.ofSeconds(1), () -> waits.getLast() > 5); // one was under way
      waits.clear();
      poll(fetcher, Duration.ofSeconds(1), () -> waits.size() >= 10);
      assertTrue(waits.stream().allMatch(each -> each == PATIENCE.toMillis()), waits::toString);
    }
  }

  @Test
  void leadersAreKnownWhenSplitsAreReadAgain() {
    List<SplitPosition> splits = ModelClients.splits();
    try (DirectFetcher fetcher = fetcher()) {
      fetcher.assign(splits);
      splits.forEach(fetcher::seek);
      poll(fetcher, Duration.ZERO, () -> waits.size() >= 10);
      int before = metadataRequests;
      fetcher.assign(List.of());
      fetcher.poll(Duration.ZERO);
      List<SplitPosition> again = ModelClients.splits();
      fetcher.assign(again);
      again.forEach(fetcher::seek);
      waits.clear();
      poll(fetcher, Duration.ZERO, () -> waits.size() >= 10);
      assertEquals(before, metadataRequests);
      assertFalse(waits.isEmpty());
    }
  }
}
