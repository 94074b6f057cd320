package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.ModelCluster;
import dev.millrace.internal.kafka.ModelNetwork;
import dev.millrace.internal.kafka.ScriptedBrokers;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
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
  private static final int MOST_POLLS = 10_000;

  private final List<Integer> waits = new ArrayList<>();
  private final Set<String> connections = new TreeSet<>();

  /// The partitions that were asked for last.
  private Set<Integer> askedLast = Set.of();

  /// Connections with a request that waits, and so with nothing answered behind it.
  private final Set<String> waiting = new TreeSet<>();

  private boolean answeredLate;

  /// Whether brokers end all connections but the first two that asked for records.
  private boolean refused;

  private boolean wasPatient;
  private int metadataRequests;

  private ApiMessage answer(String connection, ApiKeys api, ApiMessage request, ApiMessage truth) {
    wasPatient =
        request instanceof FetchRequestData fetch
            && fetch.maxWaitMs() == ModelClients.LONGEST.toMillis();
    if (request instanceof FetchRequestData fetch) {
      waits.add(fetch.maxWaitMs());
      connections.add(connection);
      askedLast =
          fetch.topics().stream()
              .flatMap(topic -> topic.partitions().stream())
              .map(FetchRequestData.FetchPartition::partition)
              .collect(Collectors.toSet());
    }
    metadataRequests += api == ApiKeys.METADATA ? 1 : 0;
    return truth;
  }

  private ModelNetwork.Reply receive(
      ModelNetwork.Listener brokers, String connection, int port, ByteBuffer request) {
    if (refused && !connections.contains(connection) && connections.size() == 2) {
      return new ModelNetwork.Reply(null, true);
    }
    wasPatient = false;
    ModelNetwork.Reply reply = brokers.receive(connection, port, request);
    if (answeredLate && wasPatient) {
      waiting.add(connection);
    }
    return waiting.contains(connection) ? new ModelNetwork.Reply(null, false) : reply;
  }

  private DirectFetcher fetcher() {
    ScriptedBrokers brokers = new ScriptedBrokers(new ModelCluster(), this::answer);
    return ModelClients.fetcher(
        (connection, port, request) -> receive(brokers, connection, port, request),
        16 << 20,
        PATIENCE,
        60_000);
  }

  private static void poll(DirectFetcher fetcher, Duration atMost, BooleanSupplier until) {
    for (int i = 0; i == 0 || !until.getAsBoolean(); i++) {
      assertTrue(i < MOST_POLLS, "It does not happen.");
      fetcher.poll(atMost);
    }
  }

  @Test
  void brokersWaitBrieflyForWhoDoesNotWaitAndLongerIfTheyHaveNothing() {
    List<SplitPosition> splits = ModelClients.splits();
    for (Duration atMost : List.of(Duration.ZERO, Duration.ofSeconds(1))) {
      waits.clear();
      try (DirectFetcher fetcher = fetcher()) {
        fetcher.assign(splits);
        splits.forEach(fetcher::seek);
        poll(fetcher, atMost, () -> waits.size() >= 10);
        int first = atMost.isZero() ? 5 : (int) PATIENCE.toMillis();
        int longest = (int) ModelClients.LONGEST.toMillis();
        // Each of the brokers is asked.
        int brokers = (int) waits.stream().takeWhile(each -> each == first).count() / 3;
        assertTrue(brokers > 0, waits::toString);
        assertEquals(List.of(first, longest), waits.stream().distinct().toList());
        assertEquals(longest, waits.getLast(), waits::toString);
      }
    }
  }

  /// As where a task comes to a reader whose others have no records.
  @Test
  void whatIsReadBesidesDoesNotWaitBehindAPatientRequest() {
    List<SplitPosition> splits = ModelClients.splits();
    SplitPosition late = splits.getLast();
    try (DirectFetcher fetcher = fetcher()) {
      fetcher.assign(splits);
      splits.subList(0, splits.size() - 1).forEach(fetcher::seek);
      poll(fetcher, Duration.ZERO, () -> waits.size() >= 20);
      waitAtBrokers(fetcher);
      int before = waits.size();
      int open = connections.size();
      fetcher.seek(late);
      poll(fetcher, Duration.ZERO, () -> waits.size() > before);
      assertEquals(open, connections.size(), () -> connections + " " + askedLast + " " + waits);
      assertEquals(Set.of(late.partition.partition()), askedLast);
      assertTrue(waits.getLast() <= PATIENCE.toMillis(), waits::toString);
    }
  }

  /// From now on all brokers wait for records.
  private void waitAtBrokers(DirectFetcher fetcher) {
    answeredLate = true;
    for (int i = 0; i < 20; i++) {
      fetcher.poll(Duration.ofMillis(2));
    }
    int before = waits.size();
    for (int i = 0; i < 20; i++) {
      fetcher.poll(Duration.ofMillis(2));
    }
    assertEquals(before, waits.size(), "Nothing else is asked for.");
  }

  @Test
  void topicsAreLookedUpWhileAllBrokersWait() {
    List<SplitPosition> splits = ModelClients.splits();
    try (DirectFetcher fetcher = fetcher()) {
      fetcher.assign(splits);
      splits.forEach(fetcher::seek);
      poll(fetcher, Duration.ZERO, () -> waits.size() >= 20);
      waitAtBrokers(fetcher);
      int before = fetcher.metadataUpdates();
      int requests = metadataRequests;
      List<SplitPosition> more = new ArrayList<>(splits);
      more.add(new SplitPosition(new Split("another", 0), Position.of(0)));
      fetcher.assign(more);
      poll(fetcher, Duration.ofMillis(2), () -> fetcher.metadataUpdates() > before);
      assertEquals(requests + 1, metadataRequests, "One that is not answered is sent again.");
    }
  }

  @Test
  void aBrokerThatTakesNoMoreConnectionsIsAskedOverTheOneThereIs() {
    List<SplitPosition> splits = ModelClients.splits();
    try (DirectFetcher fetcher = fetcher()) {
      fetcher.assign(splits);
      splits.forEach(fetcher::seek);
      refused = true;
      poll(fetcher, Duration.ofMillis(2), () -> waits.size() >= 40);
      assertEquals(2, connections.size(), "One to each broker");
      assertTrue(waits.getLast() <= PATIENCE.toMillis(), waits::toString);
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
