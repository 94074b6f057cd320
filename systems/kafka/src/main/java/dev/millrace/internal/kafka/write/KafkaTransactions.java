package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.AdminCalls;
import dev.millrace.internal.kafka.client.KafkaTopics;
import dev.millrace.spi.Log.OpenTransaction;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/// Reads, fences and aborts transactions of the cluster. Thread-safe.
public final class KafkaTransactions {
  private final AdminCalls calls;
  private final KafkaTopics topics;

  public KafkaTransactions(AdminCalls calls, KafkaTopics topics) {
    this.calls = calls;
    this.topics = topics;
  }

  /// Fences writers. The admin client retries as long as the end of an open transaction is being
  /// written.
  public void fence(Collection<String> transactionalIds) {
    if (!transactionalIds.isEmpty()) {
      calls.get(
          "Fencing the writers " + transactionalIds,
          calls.admin().fenceProducers(transactionalIds).all());
    }
  }

  public TransactionDescription describe(String transactionalId) {
    return calls.get(
        "Reading transactional id '" + transactionalId + "'",
        calls.admin().describeTransactions(List.of(transactionalId)).description(transactionalId));
  }

  /// Returns the transactional ids with a prefix. Every broker is asked for the ids that it
  /// coordinates.
  public List<String> ids(String prefix) {
    String what = "Listing transactional ids that start with '" + prefix + "'";
    Collection<TransactionListing> found;
    try {
      // The brokers' regular expressions know \Q and \E.
      String pattern = "^\\Q" + prefix.replace("\\E", "\\E\\\\E\\Q") + "\\E.*";
      found = list(what, new ListTransactionsOptions().filterOnTransactionalIdPattern(pattern));
    } catch (LogException e) {
      if (!(e.getCause() instanceof UnsupportedVersionException)) {
        throw e;
      }
      // Brokers before 4.1 cannot filter.
      found = list(what, new ListTransactionsOptions());
    }
    return found.stream()
        .map(TransactionListing::transactionalId)
        .filter(id -> id.startsWith(prefix))
        .sorted()
        .distinct()
        .toList();
  }

  private Collection<TransactionListing> list(String what, ListTransactionsOptions options) {
    return calls.get(what, calls.admin().listTransactions(options).all());
  }

  public List<OpenTransaction> open(Split split) {
    topics.requireExisting(List.of(split));
    List<ProducerState> open = openProducers(split);
    if (open.isEmpty()) {
      return List.of();
    }
    Map<Long, String> names = new HashMap<>();
    list(
            "Reading the writers of " + split,
            new ListTransactionsOptions()
                .filterProducerIds(open.stream().map(ProducerState::producerId).toList()))
        .forEach(each -> names.put(each.producerId(), each.transactionalId()));
    List<OpenTransaction> transactions = new ArrayList<>();
    for (ProducerState state : open) {
      transactions.add(
          new OpenTransaction(
              state.producerId(),
              state.producerEpoch(),
              state.coordinatorEpoch().orElse(-1),
              state.currentTransactionStartOffset().orElseThrow(),
              names.getOrDefault(state.producerId(), "")));
    }
    return transactions;
  }

  private List<ProducerState> openProducers(Split split) {
    TopicPartition partition = new TopicPartition(split.stream(), split.partition());
    return calls
        .get(
            "Reading open transactions of " + split,
            calls.admin().describeProducers(List.of(partition)).partitionResult(partition))
        .activeProducers()
        .stream()
        .filter(each -> each.currentTransactionStartOffset().isPresent())
        .sorted((one, other) ->
            Long.compare(
                one.currentTransactionStartOffset().orElseThrow(),
                other.currentTransactionStartOffset().orElseThrow()))
        .toList();
  }

  public void abortHanging(Split split, OpenTransaction transaction) {
    topics.requireExisting(List.of(split));
    Optional<ProducerState> open = find(split, transaction);
    if (open.isEmpty()) {
      return;
    }
    ProducerState state = open.get();
    AbortTransactionSpec spec =
        new AbortTransactionSpec(
            new TopicPartition(split.stream(), split.partition()),
            state.producerId(),
            (short) state.producerEpoch(),
            Math.max(0, state.coordinatorEpoch().orElse(0)));
    try {
      calls.get(
          "Aborting " + transaction + " in " + split, calls.admin().abortTransaction(spec).all());
    } catch (LogException e) {
      if (find(split, transaction).isPresent()) {
        throw e;
      }
      // It was decided in this very moment.
    }
  }

  private Optional<ProducerState> find(Split split, OpenTransaction transaction) {
    return openProducers(split).stream()
        .filter(each -> each.producerId() == transaction.producerId())
        .filter(
            each -> each.currentTransactionStartOffset().orElseThrow() == transaction.firstOffset())
        .findAny();
  }
}
