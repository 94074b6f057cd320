package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.wire.BatchDecoder;
import dev.millrace.internal.kafka.wire.CorruptBatchException;
import dev.millrace.internal.kafka.wire.Wire;
import dev.millrace.spi.BatchPool;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.FetchSessionHandler;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.LogContext;

/// By fetch requests of our own, within a session of each [broker][AskedBrokers]; whole batches are
/// decoded when they arrive. While those are processed the next answer is on its way.
///
/// Each request tells the leader epoch of the record before the position, so that a broker whose
/// log was truncated says so instead of sending records that were written over.
public final class DirectFetcher implements RecordFetcher {
  /// How long a broker waits for records at most if the caller of [#poll] hardly does: whoever has
  /// something else to do may soon read something else, and to a broker that waits nothing more can
  /// be sent.
  private static final Duration BRIEF = Duration.ofMillis(5);

  /// The number of the lane for requests that brokers wait with.
  private static final int PATIENT = 1;

  private final Wire wire;
  private final Settings settings;
  private final BatchDecoder decoder;
  private final ReadTopics topics;
  private final FetchFailures failures;
  private final Map<TopicPartition, SplitPosition> assigned = new LinkedHashMap<>();
  private final Set<SplitPosition> paused = new LinkedHashSet<>();
  private final Set<SplitPosition> sought = new LinkedHashSet<>();
  private final AskedBrokers brokers;

  /// Whether a broker was not asked as it was too early.
  private boolean early;

  private final Set<SplitPosition> moved = new LinkedHashSet<>();

  /// Their records were not taken as there was too much else; their turn is next.
  private final Set<SplitPosition> passedOver = new LinkedHashSet<>();

  private volatile boolean woken;

  /// How records are fetched.
  ///
  /// @param answerBytes how large an answer may become
  /// @param partitionBytes how much of it may be of one partition
  /// @param patience how long a broker waits for records if it has none
  /// @param longest how long it does so if it has had none for a while
  /// @param leastBytes that it waits for
  /// @param pause before something is tried again
  /// @param unpackedBytes how large a batch may become when it is unpacked
  public record Settings(
      int answerBytes,
      int partitionBytes,
      Duration patience,
      Duration longest,
      int leastBytes,
      Duration pause,
      int unpackedBytes) {}

  public DirectFetcher(Wire wire, Settings settings, BatchPool pool, String clientId) {
    this.wire = wire;
    this.settings = settings;
    decoder = new BatchDecoder(pool, settings.unpackedBytes());
    LogContext context = new LogContext("[" + clientId + "] ");
    brokers = new AskedBrokers(wire.lane(PATIENT), wire::isReady, context);
    topics = new ReadTopics(wire);
    failures = new FetchFailures(wire, settings.pause().toNanos(), sought::remove);
  }

  @Override
  public void assign(Collection<SplitPosition> splits) {
    topics.assign(assigned.values(), splits);
    assigned.clear();
    splits.forEach(each -> assigned.put(each.partition, each));
    sought.retainAll(splits);
    paused.retainAll(splits);
    passedOver.retainAll(splits);
    brokers.retain(splits);
    failures.retain(splits);
  }

  @Override
  public void seek(SplitPosition split) {
    sought.add(split);
    brokers.forget(split);
    failures.forget(split);
  }

  @Override
  public void pause(SplitPosition split) {
    paused.add(split);
  }

  @Override
  public void resume(SplitPosition split) {
    paused.remove(split);
  }

  @Override
  public long stableEnd(SplitPosition split) {
    return split.stableEnd();
  }

  @Override
  public Collection<SplitPosition> poll(Duration atMost) {
    moved.clear();
    // What came before it was taken after the last poll, however much comes of other splits.
    failures.throwNext();
    Duration patience =
        atMost.compareTo(BRIEF) < 0 ? least(BRIEF, settings.patience) : settings.patience;
    fetch(patience);
    wire.poll(early && atMost.compareTo(AskedBrokers.PACE) > 0 ? AskedBrokers.PACE : atMost);
    // What was asked for now comes while that is processed which has come.
    fetch(patience);
    if (moved.isEmpty()) {
      failures.throwNext();
    }
    if (woken && moved.isEmpty()) {
      woken = false;
      throw new WakeupException();
    }
    return List.copyOf(moved);
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /// @param patience of the brokers that are asked
  private void fetch(Duration patience) {
    Map<Node, Map<SplitPosition, Metadata.LeaderAndEpoch>> byLeader = null;
    long now = System.nanoTime();
    early = false;
    for (SplitPosition split : assigned.values()) {
      if (!sought.contains(split) || paused.contains(split) || failures.isPausing(split, now)) {
        continue;
      }
      Metadata.LeaderAndEpoch leader = wire.leader(split.partition);
      Node leading = leader.leader.orElse(null);
      if (leading == null || leading.isEmpty()) {
        wire.refresh();
        continue;
      }
      Node node = brokers.free(split, leading);
      if (node != null && brokers.isEarly(node, now)) {
        early = true;
      } else if (node != null) {
        if (byLeader == null) {
          byLeader = new HashMap<>();
        }
        byLeader.computeIfAbsent(node, _ -> new LinkedHashMap<>()).put(split, leader);
      }
    }
    if (byLeader != null) {
      byLeader.forEach((node, splits) -> fetch(node, splits, patience));
    }
  }

  private void fetch(
      Node node, Map<SplitPosition, Metadata.LeaderAndEpoch> splits, Duration patience) {
    if (!wire.isReady(node)) {
      return;
    }
    boolean patient = brokers.isPatient(node);
    FetchSessionHandler session = brokers.session(node);
    FetchSessionHandler.Builder builder = session.newBuilder();
    Map<TopicPartition, SplitPosition> asking = new HashMap<>();
    splits.forEach((split, leader) -> {
      builder.add(
          split.partition,
          new FetchRequest.PartitionData(
              Objects.requireNonNull(split.topicId(), "No topic was looked for."),
              split.next(),
              FetchRequest.INVALID_LOG_START_OFFSET,
              settings.partitionBytes,
              leader.epoch,
              split.leaderEpoch() < 0 ? Optional.empty() : Optional.of(split.leaderEpoch())));
      asking.put(split.partition, split);
    });
    FetchSessionHandler.FetchRequestData data = builder.build();
    FetchRequest.Builder request =
        FetchRequest.Builder.forConsumer(
                ApiKeys.FETCH.latestVersion(),
                Math.toIntExact((patient ? settings.longest : patience).toMillis()),
                settings.leastBytes,
                data.toSend())
            .isolationLevel(IsolationLevel.READ_COMMITTED)
            .setMaxBytes(settings.answerBytes)
            .metadata(data.metadata())
            .removed(data.toForget())
            // No rack is told: a leader that knew a follower close by would only name that.
            .replaced(data.toReplace());
    brokers.ask(node, splits);
    wire.send(
        node,
        request,
        response -> {
          brokers.answered(node, splits.keySet(), bytes(response));
          take(session, data, asking, response);
        });
  }

  private static long bytes(ClientResponse response) {
    return response.responseBody() instanceof FetchResponse answer
        ? answer.data().responses().stream()
            .flatMap(topic -> topic.partitions().stream())
            .mapToLong(FetchResponse::recordsSize)
            .sum()
        : 0;
  }

  private void take(
      FetchSessionHandler session,
      FetchSessionHandler.FetchRequestData data,
      Map<TopicPartition, SplitPosition> asking,
      ClientResponse response) {
    if (response.versionMismatch() != null) {
      failures.add(response.versionMismatch());
      return;
    }
    if (!(response.responseBody() instanceof FetchResponse answer)) {
      session.handleError(DisconnectException.INSTANCE);
      asking.values().forEach(failures::pause);
      return;
    }
    short version = response.requestHeader().apiVersion();
    if (!session.handleResponse(answer, version)) {
      if (answer.error() == Errors.FETCH_SESSION_TOPIC_ID_ERROR) {
        wire.refresh();
      }
      return;
    }
    long now = System.nanoTime();
    Map<TopicPartition, PartitionData> all =
        answer.responseData(session.sessionTopicNames(), version);
    asking.forEach((partition, split) -> {
      PartitionData told = all.get(partition);
      // Who is asked for and not in the answer has no news, unless a quota kept them back.
      boolean heard = told == null ? answer.throttleTimeMs() == 0 : told.errorCode() == 0;
      if (heard) {
        split.heard(now);
      }
    });
    Map<SplitPosition, PartitionData> news = new LinkedHashMap<>();
    all.forEach((partition, told) -> {
      SplitPosition split = assigned.get(partition);
      FetchRequest.PartitionData wanted = data.sessionPartitions().get(partition);
      // It may have been removed meanwhile, and added at another position.
      if (split != null
          && wanted != null
          && split == asking.get(partition)
          && sought.contains(split)
          && wanted.fetchOffset == split.next()) {
        news.put(split, told);
      }
    });
    takeInTurn(news);
    release(all.values());
  }

  private void takeInTurn(Map<SplitPosition, PartitionData> news) {
    Set<SplitPosition> inTurn = new LinkedHashSet<>(passedOver);
    inTurn.addAll(news.keySet());
    decoder.begin();
    inTurn.forEach(split -> {
      PartitionData told = news.get(split);
      if (told != null) {
        take(split, told);
      }
    });
  }

  /// What was wanted of an answer is copied. All of its records lie in the same array.
  private void release(Collection<PartitionData> answer) {
    for (PartitionData each : answer) {
      if (each.records() instanceof MemoryRecords records && records.sizeInBytes() > 0) {
        wire.release(records.buffer().array());
        return;
      }
    }
  }

  private void take(SplitPosition split, PartitionData told) {
    if (!failures.accept(split, told)) {
      return;
    }
    split.stableEnd(told.lastStableOffset());
    if (told.records() instanceof MemoryRecords records && records.sizeInBytes() > 0) {
      decode(split, records.buffer(), aborted(told));
    }
  }

  private static List<AbortedTransaction> aborted(PartitionData told) {
    List<AbortedTransaction> aborted = told.abortedTransactions();
    return aborted == null ? List.of() : aborted;
  }

  private void decode(SplitPosition split, ByteBuffer records, List<AbortedTransaction> aborted) {
    if (decoder.isEnough()) {
      passedOver.add(split);
      return;
    }
    passedOver.remove(split);
    long before = split.next();
    try {
      decoder.decode(records, aborted, split);
    } catch (CorruptBatchException e) {
      failures.stop(
          split, new KafkaException("%s %s".formatted(split.partition, e.getMessage()), e));
    }
    if (split.next() != before) {
      moved.add(split);
    }
  }

  @Override
  public int metadataUpdates() {
    return wire.updates();
  }

  @Override
  public long heldBytes() {
    return 0;
  }

  @Override
  public void wakeup() {
    woken = true;
    wire.wakeup();
  }

  @Override
  public void close() {
    decoder.close();
    wire.close();
  }
}
