package dev.millrace.internal.kafka;

import dev.millrace.spi.Split;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/// Two brokers that tell the truth: one topic, transactions of version 2, positions of groups. What
/// it holds is the oracle of those who talk to it.
public final class ModelCluster {
  static final String TOPIC = "modelled";
  public static final Uuid TOPIC_ID = new Uuid(7, 7);
  public static final int PARTITIONS = 3;
  public static final int FIRST_PORT = 1001;
  public static final int SECOND_PORT = 1002;
  public static final String HOST = "127.0.0.1";

  private static final class Writer {
    long producerId;
    short epoch = -1;

    /// That its owner had before; -1 if another one had it.
    short lastEpoch = -1;

    TransactionState state = TransactionState.EMPTY;
    final Set<Integer> partitions = new HashSet<>();
    public final Map<String, Map<Split, Long>> positions = new HashMap<>();
  }

  private final List<ModelPartition> partitions = new ArrayList<>();
  private final Map<String, Writer> writers = new HashMap<>();
  private final Map<String, Map<Split, Long>> groups = new HashMap<>();
  private long nextProducerId = 1000;

  public ModelCluster() {
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.add(new ModelPartition(FIRST_PORT + i % 2));
    }
  }

  public static Split split(int partition) {
    return new Split(TOPIC, partition);
  }

  public ModelPartition partition(int index) {
    return partitions.get(index);
  }

  /// The positions of a group.
  public Map<Split, Long> positions(String group) {
    return groups.getOrDefault(group, Map.of());
  }

  /// What an admin client would be told.
  public TransactionDescription describe(String transactionalId) {
    Writer writer = writers.get(transactionalId);
    return new TransactionDescription(
        1, writer.state, writer.producerId, writer.epoch, 60_000, OptionalLong.empty(), Set.of());
  }

  /// The answer to a request.
  ApiMessage answer(int port, ApiKeys api, ApiMessage request) {
    return switch (request) {
      case FetchRequestData fetch -> fetch(port, fetch);
      case ProduceRequestData produce -> produce(port, produce);
      case InitProducerIdRequestData initialize -> initialize(initialize);
      case EndTxnRequestData end -> end(end);
      case TxnOffsetCommitRequestData offsets -> positions(offsets);
      case FindCoordinatorRequestData find -> find(find);
      default ->
          switch (api) {
            case API_VERSIONS -> versions();
            case METADATA -> metadata();
            default -> throw new AssertionError("Nobody asks for that: " + api);
          };
    };
  }

  private static ApiMessage versions() {
    ApiVersionsResponseData versions = new ApiVersionsResponseData();
    for (ApiKeys key : ApiKeys.clientApis()) {
      versions
          .apiKeys()
          .add(
              new ApiVersion()
                  .setApiKey(key.id)
                  .setMinVersion(key.oldestVersion())
                  .setMaxVersion(key.latestVersion()));
    }
    return versions;
  }

  private ApiMessage metadata() {
    MetadataResponseData answer =
        new MetadataResponseData().setClusterId("model").setControllerId(1);
    for (int port = FIRST_PORT; port <= SECOND_PORT; port++) {
      answer
          .brokers()
          .add(
              new MetadataResponseBroker()
                  .setNodeId(port - FIRST_PORT + 1)
                  .setHost(HOST)
                  .setPort(port));
    }
    MetadataResponseTopic topic = new MetadataResponseTopic().setName(TOPIC).setTopicId(TOPIC_ID);
    for (int i = 0; i < PARTITIONS; i++) {
      ModelPartition partition = partitions.get(i);
      topic
          .partitions()
          .add(
              new MetadataResponsePartition()
                  .setPartitionIndex(i)
                  .setLeaderId(partition.port() - FIRST_PORT + 1)
                  .setLeaderEpoch(partition.epoch())
                  .setReplicaNodes(new ArrayList<>(List.of(1, 2)))
                  .setIsrNodes(new ArrayList<>(List.of(1, 2))));
    }
    answer.topics().add(topic);
    return answer;
  }

  private static ApiMessage find(FindCoordinatorRequestData request) {
    FindCoordinatorResponseData answer = new FindCoordinatorResponseData();
    int node = request.keyType() == 0 ? 2 : 1;
    for (String key : request.coordinatorKeys()) {
      answer
          .coordinators()
          .add(
              new Coordinator()
                  .setKey(key)
                  .setNodeId(node)
                  .setHost(HOST)
                  .setPort(FIRST_PORT + node - 1));
    }
    return answer;
  }

  private ApiMessage initialize(InitProducerIdRequestData request) {
    InitProducerIdResponseData answer = new InitProducerIdResponseData();
    if (request.transactionalId() == null) {
      return answer.setProducerId(nextProducerId++).setProducerEpoch((short) 0);
    }
    Writer writer = writers.computeIfAbsent(request.transactionalId(), id -> new Writer());
    boolean takesOver = request.producerId() < 0;
    boolean isNew = writer.epoch < 0;
    if (isNew) {
      writer.producerId = nextProducerId++;
    } else if (!takesOver && request.producerId() != writer.producerId) {
      return answer.setErrorCode(Errors.PRODUCER_FENCED.code());
    }
    if (writer.state == TransactionState.ONGOING) {
      finish(writer, false);
      return answer.setErrorCode(Errors.CONCURRENT_TRANSACTIONS.code());
    }
    if (takesOver || isNew) {
      writer.lastEpoch = -1;
      writer.epoch++;
    } else if (request.producerEpoch() == writer.epoch) {
      writer.lastEpoch = writer.epoch;
      writer.epoch++;
    } else if (request.producerEpoch() != writer.lastEpoch) {
      return answer.setErrorCode(Errors.PRODUCER_FENCED.code());
    }
    writer.state = TransactionState.EMPTY;
    return answer.setProducerId(writer.producerId).setProducerEpoch(writer.epoch);
  }

  /// Ends what a writer has open, as it took too long.
  void expire(String transactionalId) {
    finish(writers.get(transactionalId), false);
  }

  private void finish(Writer writer, boolean commit) {
    for (int partition : writer.partitions) {
      partitions.get(partition).end(writer.producerId, writer.epoch, commit);
    }
    if (commit) {
      writer.positions.forEach((group, positions) ->
          groups.computeIfAbsent(group, each -> new HashMap<>()).putAll(positions));
    }
    writer.partitions.clear();
    writer.positions.clear();
    writer.lastEpoch = writer.epoch;
    writer.epoch++;
    writer.state = commit ? TransactionState.COMPLETE_COMMIT : TransactionState.COMPLETE_ABORT;
  }

  private Errors check(Writer writer, long producerId, int epoch) {
    if (writer == null || writer.producerId != producerId) {
      return Errors.INVALID_PRODUCER_ID_MAPPING;
    }
    return writer.epoch == epoch ? Errors.NONE : Errors.INVALID_PRODUCER_EPOCH;
  }

  private ApiMessage end(EndTxnRequestData request) {
    EndTxnResponseData answer = new EndTxnResponseData();
    Writer writer = writers.get(request.transactionalId());
    boolean commit = request.committed();
    Errors error = check(writer, request.producerId(), request.producerEpoch());
    if (error == Errors.INVALID_PRODUCER_EPOCH) {
      TransactionState same =
          commit ? TransactionState.COMPLETE_COMMIT : TransactionState.COMPLETE_ABORT;
      if (writer.epoch != request.producerEpoch() + 1 || writer.state == TransactionState.EMPTY) {
        error = Errors.PRODUCER_FENCED;
      } else {
        error = writer.state == same ? Errors.NONE : Errors.INVALID_TXN_STATE;
      }
    } else if (error == Errors.NONE) {
      if (writer.state == TransactionState.ONGOING || !commit) {
        finish(writer, commit);
      } else {
        error = Errors.INVALID_TXN_STATE;
      }
    }
    if (error != Errors.NONE) {
      return answer.setErrorCode(error.code());
    }
    return answer.setProducerId(writer.producerId).setProducerEpoch(writer.epoch);
  }

  private ApiMessage positions(TxnOffsetCommitRequestData request) {
    Writer writer = writers.get(request.transactionalId());
    Errors error = check(writer, request.producerId(), request.producerEpoch());
    TxnOffsetCommitResponseData answer = new TxnOffsetCommitResponseData();
    request
        .topics()
        .forEach(topic -> {
          TxnOffsetCommitResponseTopic told =
              new TxnOffsetCommitResponseTopic().setName(topic.name());
          topic
              .partitions()
              .forEach(partition -> {
                told.partitions()
                    .add(
                        new TxnOffsetCommitResponsePartition()
                            .setPartitionIndex(partition.partitionIndex())
                            .setErrorCode(error.code()));
                if (error == Errors.NONE) {
                  writer.state = TransactionState.ONGOING;
                  writer
                      .positions
                      .computeIfAbsent(request.groupId(), each -> new HashMap<>())
                      .put(
                          new Split(topic.name(), partition.partitionIndex()),
                          partition.committedOffset());
                }
              });
          answer.topics().add(told);
        });
    return answer;
  }

  private ApiMessage produce(int port, ProduceRequestData request) {
    ProduceResponseData answer = new ProduceResponseData();
    request
        .topicData()
        .forEach(topic -> {
          TopicProduceResponse told = new TopicProduceResponse().setTopicId(topic.topicId());
          topic
              .partitionData()
              .forEach(data ->
                  told.partitionResponses()
                      .add(
                          produce(
                                  port,
                                  request.transactionalId(),
                                  topic.topicId(),
                                  data.index(),
                                  (MemoryRecords) data.records())
                              .setIndex(data.index())));
          answer.responses().add(told);
        });
    return answer;
  }

  private PartitionProduceResponse produce(
      int port, String transactionalId, Uuid topicId, int index, MemoryRecords records) {
    PartitionProduceResponse answer = new PartitionProduceResponse();
    ModelPartition partition = index < PARTITIONS ? partitions.get(index) : null;
    if (partition == null || !topicId.equals(TOPIC_ID)) {
      return answer.setErrorCode(Errors.UNKNOWN_TOPIC_ID.code());
    }
    if (partition.port() != port) {
      return answer.setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code());
    }
    RecordBatch batch = records.batchIterator().next();
    batch.ensureValid();
    if (transactionalId != null) {
      Writer writer = writers.get(transactionalId);
      Errors error = check(writer, batch.producerId(), batch.producerEpoch());
      if (error != Errors.NONE || !batch.isTransactional()) {
        return answer.setErrorCode(Errors.INVALID_PRODUCER_EPOCH.code());
      }
      writer.state = TransactionState.ONGOING;
      writer.partitions.add(index);
    }
    return partition.append(records, batch, answer);
  }

  private ApiMessage fetch(int port, FetchRequestData request) {
    FetchResponseData answer = new FetchResponseData();
    if (request.sessionId() != 0) {
      return answer.setErrorCode(Errors.FETCH_SESSION_ID_NOT_FOUND.code());
    }
    request
        .topics()
        .forEach(topic -> {
          FetchResponseData.FetchableTopicResponse told =
              new FetchResponseData.FetchableTopicResponse().setTopicId(topic.topicId());
          for (FetchRequestData.FetchPartition asked : topic.partitions()) {
            FetchResponseData.PartitionData data =
                new FetchResponseData.PartitionData()
                    .setPartitionIndex(asked.partition())
                    .setRecords(MemoryRecords.EMPTY);
            told.partitions().add(data);
            if (!topic.topicId().equals(TOPIC_ID) || asked.partition() >= PARTITIONS) {
              data.setErrorCode(Errors.UNKNOWN_TOPIC_ID.code());
            } else {
              partitions.get(asked.partition()).fetch(port, asked, data);
            }
          }
          answer.responses().add(told);
        });
    return answer;
  }

  /// The committed values of a partition, in their order.
  public List<String> committed(int index) {
    Map<Long, String> values = new TreeMap<>();
    partitions
        .get(index)
        .committed((offset, value) ->
            values.put(offset, StandardCharsets.UTF_8.decode(copy(value)).toString()));
    return List.copyOf(values.values());
  }

  private static ByteBuffer copy(ByteBuffer value) {
    return value.duplicate();
  }
}
