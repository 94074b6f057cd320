package dev.millrace.internal.kafka;

import dev.millrace.internal.kafka.client.AdminCalls;
import dev.millrace.internal.kafka.client.AdminTimeouts;
import dev.millrace.internal.kafka.client.Bootstrap;
import dev.millrace.internal.kafka.client.ClientInternals;
import dev.millrace.internal.kafka.client.Closing;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.internal.kafka.client.KafkaProperties;
import dev.millrace.internal.kafka.client.KafkaTopics;
import dev.millrace.internal.kafka.client.Words;
import dev.millrace.internal.kafka.read.KafkaReader;
import dev.millrace.internal.kafka.read.OfficialFetcher;
import dev.millrace.internal.kafka.read.RecordFetcher;
import dev.millrace.internal.kafka.write.KafkaTransactions;
import dev.millrace.internal.kafka.write.KafkaWriter;
import dev.millrace.internal.kafka.write.TransactionDriver;
import dev.millrace.internal.kafka.write.TransactionalProducer;
import dev.millrace.internal.kafka.write.WritableTopics;
import dev.millrace.internal.kafka.write.WriterIds;
import dev.millrace.internal.kafka.write.WriterName;
import dev.millrace.internal.kafka.write.WriterWork;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeFeaturesOptions;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.utils.AppInfoParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A log on Kafka: one official admin client for all calls, and a separate client for each reader
/// and each writer, official or not; see [DataPlane].
///
/// The clients log below `org.apache.kafka.clients`; `WARN` is a good level for them. Readers and
/// writers are closed by their users, before the log.
public final class KafkaLog implements Log {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaLog.class);
  private static final String TRANSACTIONS = "transaction.version";
  private static final int EVERY_END_COUNTS = 2;

  private final ClientFactory clients;
  private final AdminCalls calls;
  private final KafkaTopics topics;
  private final KafkaTransactions transactions;
  private final BatchPool pool = new BatchPool();
  private final Closing closing = new Closing();
  private final String clusterId;
  private final int transactionVersion;

  private KafkaLog(
      ClientFactory clients, AdminCalls calls, String clusterId, int transactionVersion) {
    this.clients = clients;
    this.calls = calls;
    this.clusterId = clusterId;
    this.transactionVersion = transactionVersion;
    topics = new KafkaTopics(calls);
    transactions = new KafkaTransactions(calls, topics);
  }

  /// Connects to a cluster: waits at most as long as the settings allow until a process listens,
  /// and at most as long as [AdminTimeouts] allows for an answer of Kafka.
  ///
  /// @throws LogException of kind `UNAVAILABLE` if no broker answers, `REFUSED` if one does not
  ///   permit it or a property is wrong
  public static KafkaLog connect(KafkaLogSettings settings) {
    return connect(new ClientFactory(settings));
  }

  static KafkaLog connect(ClientFactory clients) {
    KafkaLogSettings settings = clients.settings();
    List<KafkaProperties.Problem> problems = KafkaProperties.problems(settings.properties());
    if (!problems.isEmpty()) {
      throw new LogException(
          Kind.REFUSED,
          problems.stream()
              .map(KafkaProperties.Problem::message)
              .collect(
                  Collectors.joining(
                      "\n", "These properties of Kafka's clients are wrong:\n", "")));
    }
    Bootstrap.await(settings.bootstrapServers(), settings.connectPatience());
    Admin admin = clients.admin();
    boolean connected = false;
    try {
      AdminCalls calls = new AdminCalls(admin, clients.timeouts().patience());
      AdminCalls first = new AdminCalls(admin, connectPatience(settings));
      KafkaLog log = new KafkaLog(clients, calls, clusterId(first, settings), version(first));
      log.requireDataPlane();
      connected = true;
      return log;
    } finally {
      if (!connected) {
        admin.close(Duration.ZERO);
      }
    }
  }

  /// Returns the timeout of the first call, to which settings of the user for calls apply, too.
  private static Duration connectPatience(KafkaLogSettings settings) {
    return AdminTimeouts.of(settings.properties(), settings.connectPatience()).patience();
  }

  private static String clusterId(AdminCalls calls, KafkaLogSettings settings) {
    int millis = Math.toIntExact(calls.patience().toMillis());
    String what = "Connecting to Kafka at " + settings.bootstrapServers();
    try {
      KafkaFuture<String> id =
          calls.admin().describeCluster(new DescribeClusterOptions().timeoutMs(millis)).clusterId();
      if (!calls.isDone(id, Bootstrap.TELL_AFTER)) {
        LOG.info(
            "Waiting up to {} for Kafka: a process listens at {}, but has not answered as a Kafka"
                + " broker yet.",
            Words.time(calls.patience()),
            settings.bootstrapServers());
      }
      return calls.get(what, id);
    } catch (LogException e) {
      if (e.kind() == Kind.UNAVAILABLE) {
        throw new LogException(
            Kind.UNAVAILABLE,
            ("A process listens at %s, but did not answer as a Kafka broker within %s. Check that"
                    + " this is the right port, and whether it needs TLS or a login"
                    + " (security.protocol).")
                .formatted(settings.bootstrapServers(), Words.time(calls.patience())),
            e);
      }
      throw e;
    }
  }

  private static int version(AdminCalls calls) {
    try {
      FinalizedVersionRange range =
          calls
              .get(
                  "Asking for the features of the cluster",
                  calls
                      .admin()
                      .describeFeatures(
                          new DescribeFeaturesOptions()
                              .timeoutMs(Math.toIntExact(calls.patience().toMillis())))
                      .featureMetadata())
              .finalizedFeatures()
              .get(TRANSACTIONS);
      return range == null ? 0 : range.maxVersionLevel();
    } catch (LogException e) {
      if (e.getCause() instanceof UnsupportedVersionException) {
        return 0;
      }
      throw e;
    }
  }

  private void requireDataPlane() {
    if (clients.settings().dataPlane() != DataPlane.DIRECT) {
      return;
    }
    ClientInternals.require(AppInfoParser.getVersion());
    if (transactionVersion < EVERY_END_COUNTS) {
      throw new LogException(
          Kind.REFUSED,
          ("kafka.data-plane is direct, which needs transactions of version %d; the cluster's"
               + " finalized feature %s is %d. Raise it (%s), or set kafka.data-plane: official.")
              .formatted(EVERY_END_COUNTS, TRANSACTIONS, transactionVersion, upgrade()));
    }
  }

  private String upgrade() {
    return "kafka-features.sh --bootstrap-server %s upgrade --feature %s=%d"
        .formatted(clients.settings().bootstrapServers(), TRANSACTIONS, EVERY_END_COUNTS);
  }

  /// Returns a warning if a guarantee is weaker with this cluster, with what to do; empty if none
  /// is.
  public String weakness() {
    if (transactionVersion >= EVERY_END_COUNTS) {
      return "";
    }
    return ("Exactly-once is weaker with this cluster: its finalized feature %s is %d, below %d, so"
            + " a request that arrives after the end of its transaction may become part of the"
            + " next one, or block it. Raise it: %s")
        .formatted(TRANSACTIONS, transactionVersion, EVERY_END_COUNTS, upgrade());
  }

  @Override
  public String clusterId() {
    return clusterId;
  }

  @Override
  public Map<String, TopicInfo> topics(Collection<String> names) {
    return topics.infos(names);
  }

  @Override
  public Map<String, Integer> partitions(Collection<String> names) {
    return topics.partitions(names);
  }

  @Override
  public SortedSet<String> topicNames() {
    return topics.names();
  }

  @Override
  public void createTopics(Collection<TopicSpec> specs) {
    topics.create(specs);
  }

  @Override
  public void addPartitions(String topic, int partitions) {
    topics.addPartitions(topic, partitions);
  }

  @Override
  public void changeSettings(String topic, Map<String, String> settings) {
    topics.changeSettings(topic, settings);
  }

  @Override
  public Map<Split, Offsets> offsets(Collection<Split> splits) {
    return topics.offsets(splits);
  }

  @Override
  public Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time) {
    return topics.offsetsAt(splits, time);
  }

  @Override
  public Map<Split, Long> committedPositions(String group) {
    return topics.committedPositions(group);
  }

  @Override
  public Map<Split, Long> positionsOfOthers(String group) {
    return topics.positionsOfOthers(group);
  }

  @Override
  public SplitReader reader(String clientId) {
    RecordFetcher fetcher =
        switch (clients.settings().dataPlane()) {
          case OFFICIAL ->
              new OfficialFetcher(landing -> clients.consumer(clientId, landing), pool, closing);
          case DIRECT -> clients.fetcher(clientId, pool);
        };
    return new KafkaReader(fetcher, calls.admin(), clients.settings().memory().answerBytes());
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    WriterIds ids = new WriterIds(transactions::describe, transactionVersion >= EVERY_END_COUNTS);
    WriterName name = new WriterName(transactionalId, timeout);
    TransactionDriver producer =
        switch (clients.settings().dataPlane()) {
          case OFFICIAL -> new TransactionalProducer(name, clients, ids);
          case DIRECT -> clients.direct(name, ids);
        };
    return new KafkaWriter(
        transactionalId, new WriterWork(name, producer, new WritableTopics(topics)));
  }

  @Override
  public void fence(Collection<String> transactionalIds) {
    transactions.fence(transactionalIds);
  }

  @Override
  public List<String> transactionalIds(String prefix) {
    return transactions.ids(prefix);
  }

  @Override
  public List<OpenTransaction> openTransactions(Split split) {
    return transactions.open(split);
  }

  @Override
  public void abortHanging(Split split, OpenTransaction transaction) {
    transactions.abortHanging(split, transaction);
  }

  @Override
  public void deleteBefore(Map<Split, Long> offsets) {
    topics.deleteBefore(offsets);
  }

  @Override
  public void close() {
    closing.close();
    calls.admin().close(Duration.ofSeconds(2));
  }
}
