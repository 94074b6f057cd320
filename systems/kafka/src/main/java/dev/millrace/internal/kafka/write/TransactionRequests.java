package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.GroupPositions;
import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.internal.kafka.client.PositionDetail;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.common.requests.EndTxnResponse;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest.CommittedOffset;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;
import org.jspecify.annotations.Nullable;

/// Requests of a writer to its coordinators. All methods wait, and throw a [LogException] of kind
/// `UNAVAILABLE` at the deadline (as of [System#nanoTime]); transient errors are retried until
/// then.
public final class TransactionRequests {
  private final Coordinators coordinators;
  private final String transactionalId;

  /// The outcome of ending a transaction.
  ///
  /// @param next the id for the next transaction, if the error is `NONE`
  public record End(Errors error, WriterId next) {}

  public TransactionRequests(Coordinators coordinators, String transactionalId) {
    this.coordinators = coordinators;
    this.transactionalId = transactionalId;
  }

  /// Makes this writer the only one of its id, and ends the open transaction of an earlier one.
  ///
  /// @param from the id by which the coordinator knows this writer, to continue from there: then a
  ///   writer that has taken over since is not fenced, and a repetition gets the answer that was
  ///   lost. Null to take over from any writer
  /// @throws LogException of kind `FENCED` if the coordinator knows it as another by now
  public WriterId initialize(@Nullable WriterId from, Duration timeout, long deadlineNanos) {
    InitProducerIdRequestData data =
        initialization()
            .setTransactionalId(transactionalId)
            .setTransactionTimeoutMs(Math.toIntExact(timeout.toMillis()));
    if (from != null) {
      data.setProducerId(from.producerId()).setProducerEpoch((short) from.epoch());
    }
    return id(
        coordinators.ask(
            CoordinatorType.TRANSACTION,
            transactionalId,
            new InitProducerIdRequest.Builder(data),
            InitProducerIdResponse.class,
            InitProducerIdResponse::error,
            deadlineNanos));
  }

  /// Returns an id for records outside any transaction, which are written once each however often
  /// they are sent.
  WriterId initializeOutside(long deadlineNanos) {
    return id(
        coordinators.askAnyone(
            new InitProducerIdRequest.Builder(
                initialization()
                    .setTransactionalId(null)
                    .setTransactionTimeoutMs(Integer.MAX_VALUE)),
            InitProducerIdResponse.class,
            deadlineNanos));
  }

  private static InitProducerIdRequestData initialization() {
    return new InitProducerIdRequestData().setProducerId(-1).setProducerEpoch((short) -1);
  }

  private WriterId id(InitProducerIdResponse answer) {
    if (answer.error() != Errors.NONE) {
      throw KafkaFailures.of(
          "Writer '" + transactionalId + "' cannot be opened", answer.error().exception());
    }
    WriterId id =
        new WriterId(transactionalId, answer.data().producerId(), answer.data().producerEpoch());
    if (id.producerId() < 0 || id.epoch() < 0) {
      throw new LogException(
          Kind.UNAVAILABLE,
          "Writer '%s' cannot be opened: its coordinator assigned %s."
              .formatted(transactionalId, id));
    }
    return id;
  }

  public End end(WriterId id, boolean commit, long deadlineNanos) {
    EndTxnRequestData data =
        new EndTxnRequestData()
            .setTransactionalId(transactionalId)
            .setProducerId(id.producerId())
            .setProducerEpoch((short) id.epoch())
            .setCommitted(commit);
    EndTxnResponse answer =
        coordinators.ask(
            CoordinatorType.TRANSACTION,
            transactionalId,
            new EndTxnRequest.Builder(data, true),
            EndTxnResponse.class,
            EndTxnResponse::error,
            deadlineNanos);
    return new End(
        answer.error(),
        new WriterId(transactionalId, answer.data().producerId(), answer.data().producerEpoch()));
  }

  /// Adds positions of a group to the transaction.
  public Errors positions(
      WriterId id, String group, Map<Split, Position> positions, long deadlineNanos) {
    Map<TopicPartition, CommittedOffset> offsets = new HashMap<>();
    positions.forEach((split, position) ->
        offsets.put(new TopicPartition(split.stream(), split.partition()), offset(position)));
    TxnOffsetCommitResponse answer =
        coordinators.ask(
            CoordinatorType.GROUP,
            group,
            new TxnOffsetCommitRequest.Builder(
                transactionalId, group, id.producerId(), (short) id.epoch(), offsets, true),
            TxnOffsetCommitResponse.class,
            told -> error(told, offsets.keySet()),
            deadlineNanos);
    return error(answer, offsets.keySet());
  }

  private static CommittedOffset offset(Position position) {
    return new CommittedOffset(
        position.offset(), GroupPositions.OWN, PositionDetail.leaderEpoch(position));
  }

  /// Returns the first error, also that a partition is not in the answer.
  private static Errors error(TxnOffsetCommitResponse answer, Set<TopicPartition> asked) {
    Set<TopicPartition> left = new HashSet<>(asked);
    for (TxnOffsetCommitResponseTopic topic : answer.data().topics()) {
      for (TxnOffsetCommitResponsePartition partition : topic.partitions()) {
        if (partition.errorCode() != Errors.NONE.code()) {
          return Errors.forCode(partition.errorCode());
        }
        left.remove(new TopicPartition(topic.name(), partition.partitionIndex()));
      }
    }
    return left.isEmpty() ? Errors.NONE : Errors.UNKNOWN_SERVER_ERROR;
  }
}
