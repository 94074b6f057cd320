package dev.millrace.internal.kafka.write;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.internal.kafka.client.Words;
import dev.millrace.internal.kafka.wire.BatchArrays;
import dev.millrace.internal.kafka.wire.EncodedBatch;
import dev.millrace.internal.kafka.wire.Wire;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.jspecify.annotations.Nullable;

/// Sends records to the leaders of their partitions, in requests with one batch of each partition.
/// Several requests are under way to a broker at a time; batches of a failed request are sent again
/// in order, before later ones. Used by one thread.
public final class ProduceQueue {
  /// How many batches of a partition may be under way: as many as a broker remembers.
  private static final int MOST_UNDER_WAY = 5;

  private static final short ALL_REPLICAS = -1;

  private final Wire wire;
  private final Settings settings;
  private final Map<Split, OutgoingSplit> splits = new LinkedHashMap<>();
  private final BatchArrays arrays;
  private final Bytes view = new Bytes();
  private @Nullable WriterId id;

  /// Counts what the answers belong to: those of an earlier transaction are of no interest.
  private int generation;

  /// The request under way by which partitions are added to the transaction; null if there is none.
  /// A coordinator adds those of one request at a time, and a broker that asks it meanwhile lets
  /// the records, and all that comes behind them, lie for 20 ms. So what else is new waits, and
  /// goes together.
  private @Nullable Request adding;

  private long bytes;

  /// Settings of sending.
  ///
  /// @param transactionalId null to send outside any transaction
  /// @param compression of batches
  /// @param batchBytes the wanted size of batches
  /// @param requestBytes the largest size of a request
  /// @param requestTimeout how long brokers wait for their followers
  /// @param patience the time after which a batch that no broker accepted fails its transaction
  /// @param pause before a batch is sent again
  public record Settings(
      @Nullable String transactionalId,
      Compression compression,
      int batchBytes,
      int requestBytes,
      Duration requestTimeout,
      Duration patience,
      Duration pause) {}

  public ProduceQueue(Wire wire, Settings settings) {
    this.wire = wire;
    this.settings = settings;
    arrays = new BatchArrays(settings.batchBytes());
  }

  /// From now on it is sent as this writer, whose sequences begin anew. Nothing may be left of what
  /// came before.
  public void begin(WriterId writer) {
    id = writer;
    adding = null;
    splits.values().forEach(OutgoingSplit::begin);
  }

  /// Adds records; their bytes are copied.
  ///
  /// @param largestBatchBytes what the split takes
  public void add(Transaction.Sent sent, RecordBatch batch, int largestBatchBytes) {
    OutgoingSplit split = splits.get(sent.to());
    if (split == null) {
      split = new OutgoingSplit(sent.to(), settings, arrays);
      splits.put(sent.to(), split);
      wire.want(sent.to().stream());
    }
    bytes += split.add(sent, batch, largestBatchBytes, view);
  }

  /// Closes the batches that are being gathered.
  public void finishBatches() {
    for (OutgoingSplit split : splits.values()) {
      bytes += split.finishBatch();
    }
  }

  /// Completes batches of partitions for which nothing else is to be sent, so that they do not
  /// wait.
  void finishIdle() {
    for (OutgoingSplit split : splits.values()) {
      if (split.isIdle()) {
        bytes += split.finishBatch();
      }
    }
  }

  /// Returns the memory of what is not acknowledged.
  long bytes() {
    return bytes;
  }

  /// Returns whether all that was added is acknowledged.
  public boolean isEmpty() {
    for (OutgoingSplit split : splits.values()) {
      if (!split.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /// Drops everything. Batches under way may arrive or not.
  void drop() {
    generation++;
    adding = null;
    bytes = 0;
    splits.values().forEach(OutgoingSplit::drop);
  }

  /// Sends what can be sent now.
  public void send() {
    long now = System.nanoTime();
    Map<Node, List<OutgoingSplit>> byLeader = null;
    Map<String, Uuid> topicIds = wire.topicIds();
    for (OutgoingSplit split : splits.values()) {
      if (!split.canSend(MOST_UNDER_WAY, now)) {
        continue;
      }
      if (split.isOverdue(now, settings.patience)) {
        split.fail(
            split.first(),
            ("No broker accepted records for %s within %s. Check that the partition has a leader,"
                    + " and whether a quota (producer_byte_rate) limits this client.")
                .formatted(split.split, Words.time(settings.patience)));
        continue;
      }
      Node leader = wire.leader(split.partition).leader.orElse(null);
      if (leader == null || leader.isEmpty() || !topicIds.containsKey(split.split.stream())) {
        wire.refresh();
        continue;
      }
      if (byLeader == null) {
        byLeader = new HashMap<>();
      }
      byLeader.computeIfAbsent(leader, each -> new ArrayList<>()).add(split);
    }
    if (byLeader != null) {
      byLeader.forEach(this::send);
    }
  }

  private void send(Node leader, List<OutgoingSplit> sending) {
    List<OutgoingSplit> left = sending;
    while (wire.isReady(leader)) {
      if (adding != null) {
        left = left.stream().filter(OutgoingSplit::isKnown).toList();
      }
      if (left.isEmpty()) {
        return;
      }
      left = sendOne(leader, left);
    }
  }

  /// Sends one request.
  ///
  /// @return the splits that did not fit
  private List<OutgoingSplit> sendOne(Node leader, List<OutgoingSplit> sending) {
    WriterId writer = id;
    if (writer == null) {
      throw new IllegalStateException("A writer without an id cannot send records.");
    }
    Map<String, Uuid> topicIds = wire.topicIds();
    TopicProduceDataCollection topics = new TopicProduceDataCollection();
    Request request = new Request(generation);
    List<OutgoingSplit> left = new ArrayList<>();
    long now = System.nanoTime();
    int size = 0;
    for (OutgoingSplit split : sending) {
      EncodedBatch next = split.first().batch();
      if (size > 0 && size + next.length() > settings.requestBytes) {
        left.add(split);
        continue;
      }
      size += next.length();
      Uuid topicId = topicIds.getOrDefault(split.split.stream(), Uuid.ZERO_UUID);
      if (settings.transactionalId != null && !split.isKnown()) {
        adding = request;
      }
      OutgoingSplit.Pending pending = split.take(now);
      request.pending.put(split, pending);
      request.topicIds.put(split, topicId);
      ByteBuffer stamped =
          next.stamp(
              writer.producerId(),
              writer.epoch(),
              pending.sequence(),
              settings.transactionalId != null);
      TopicProduceData topic = topics.find(split.split.stream(), topicId);
      if (topic == null) {
        topic = new TopicProduceData().setName(split.split.stream()).setTopicId(topicId);
        topics.add(topic);
      }
      topic
          .partitionData()
          .add(
              new PartitionProduceData()
                  .setIndex(split.split.partition())
                  .setRecords(MemoryRecords.readableRecords(stamped)));
    }
    ProduceRequestData data =
        new ProduceRequestData()
            .setTransactionalId(settings.transactionalId)
            .setAcks(ALL_REPLICAS)
            .setTimeoutMs(Math.toIntExact(settings.requestTimeout.toMillis()))
            .setTopicData(topics);
    wire.send(leader, ProduceRequest.builder(data, false), response -> take(request, response));
    return left;
  }

  private static final class Request {
    private final int generation;
    private final Map<OutgoingSplit, OutgoingSplit.Pending> pending = new LinkedHashMap<>();

    /// As they were when it was sent.
    private final Map<OutgoingSplit, Uuid> topicIds = new HashMap<>();

    Request(int generation) {
      this.generation = generation;
    }
  }

  private void take(Request request, ClientResponse response) {
    if (adding == request) {
      adding = null;
    }
    if (request.generation != generation) {
      return;
    }
    if (!(response.responseBody() instanceof ProduceResponse answer)) {
      Errors why =
          response.versionMismatch() == null
              ? Errors.NETWORK_EXCEPTION
              : Errors.UNSUPPORTED_VERSION;
      request.pending.forEach((split, pending) -> refused(split, pending, why, ""));
      return;
    }
    Map<OutgoingSplit, OutgoingSplit.Pending> unanswered = new LinkedHashMap<>(request.pending);
    for (TopicProduceResponse topic : answer.data().responses()) {
      for (PartitionProduceResponse told : topic.partitionResponses()) {
        OutgoingSplit split = find(request, topic, told.index());
        if (split != null) {
          take(split, unanswered.remove(split), told);
        }
      }
    }
    unanswered.forEach((split, pending) ->
        refused(split, pending, Errors.UNKNOWN_SERVER_ERROR, "The broker did not answer."));
  }

  private static @Nullable OutgoingSplit find(
      Request request, TopicProduceResponse topic, int partition) {
    for (OutgoingSplit split : request.pending.keySet()) {
      if (split.split.partition() == partition
          && (split.split.stream().equals(topic.name())
              || topic.topicId().equals(request.topicIds.get(split)))) {
        return split;
      }
    }
    return null;
  }

  private void take(
      OutgoingSplit split, OutgoingSplit.@Nullable Pending pending, PartitionProduceResponse told) {
    if (pending == null) {
      return;
    }
    Errors error = Errors.forCode(told.errorCode());
    if (error == Errors.NONE || error == Errors.DUPLICATE_SEQUENCE_NUMBER) {
      bytes -= split.acknowledge(pending, told.baseOffset());
    } else {
      String more = told.errorMessage() == null ? "" : told.errorMessage();
      refused(split, pending, error, more);
    }
  }

  private void refused(
      OutgoingSplit split, OutgoingSplit.Pending pending, Errors error, String more) {
    ApiException exception = error.exception();
    boolean again =
        exception instanceof RetriableException
            || error == Errors.CONCURRENT_TRANSACTIONS
            // Behind one that failed, all others are out of order.
            || (error == Errors.OUT_OF_ORDER_SEQUENCE_NUMBER && !split.isFirst(pending));
    if (again) {
      if (exception instanceof InvalidMetadataException) {
        wire.refresh();
      }
      split.sendAgain(pending, System.nanoTime() + settings.pause.toNanos());
    } else {
      String text = exception == null ? error.name() : KafkaFailures.text(exception);
      split.fail(
          pending,
          "Sending to %s failed: %s"
              .formatted(
                  split.split,
                  more.isEmpty()
                      ? Words.sentence(text)
                      : "%s (%s).".formatted(Words.clause(text), Words.clause(more))));
    }
  }
}
