package dev.millrace.internal.kafka.wire;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.memory.MemoryPool;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connections of one thread to the brokers of a cluster, and its metadata of topics. The
/// official connection layer does security, versions, throttling, re-authentication, and the search
/// for a broker when all known ones are gone.
///
/// Used by one thread, except [#wakeup].
public final class Wire implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Wire.class);

  private static final int LARGEST_PORT = 65_535;

  private final LogContext context;
  private final Time time = Time.SYSTEM;
  private final Metrics metrics = new Metrics(Time.SYSTEM);
  private final AbstractConfig config;
  private WireMetadata metadata;
  private final Connections connections;
  private final AnswerMemory memory;
  private volatile KafkaClient client;
  private final int requestTimeoutMillis;
  private final long pauseNanos;

  /// What was sent and not answered.
  private final Set<Request> underWay = new LinkedHashSet<>();

  private int updatesBefore;
  private @Nullable Throwable thrown;
  private volatile boolean stopped;

  private record Request(ClientRequest sent, Answer answer) {}

  /// Receives an answer.
  @FunctionalInterface
  public interface Answer {
    /// @param response with a body, or without one if the connection was lost or the request took
    ///   too long: what the broker made of it is not known then
    void take(ClientResponse response);
  }

  /// Creates the connection layer below a [Wire].
  @FunctionalInterface
  public interface Connections {
    /// @param metadata that it keeps up to date
    /// @param memory where answers are to lie
    KafkaClient open(Metadata metadata, MemoryPool memory, Metrics metrics, LogContext context);
  }

  /// Creates a wire, which does not connect yet.
  ///
  /// @param config of a consumer or a producer
  /// @param clientId by which the brokers' logs, quotas and metrics know it
  /// @param mostRequests that may be under way to a broker at a time
  /// @param keptBytes of memory for large answers while there are none
  /// @throws KafkaException if the settings cannot work
  public Wire(AbstractConfig config, String clientId, int mostRequests, long keptBytes) {
    this(
        config,
        clientId,
        keptBytes,
        (metadata, memory, metrics, context) ->
            ConnectionLayer.open(config, mostRequests, memory, metadata, metrics, context));
  }

  /// With another connection layer, for tests.
  public Wire(AbstractConfig config, String clientId, long keptBytes, Connections connections) {
    memory = new AnswerMemory(keptBytes);
    context = new LogContext("[" + clientId + "] ");
    this.connections = connections;
    pauseNanos =
        TimeUnit.MILLISECONDS.toNanos(config.getLong(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG));
    requestTimeoutMillis = config.getInt(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG);
    this.config = config;
    metadata = newMetadata(Set.of());
    client = connections.open(metadata, memory, metrics, context);
  }

  private WireMetadata newMetadata(Set<String> topics) {
    WireMetadata fresh =
        new WireMetadata(
            config.getLong(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG),
            config.getLong(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG),
            config.getLong(CommonClientConfigs.METADATA_MAX_AGE_CONFIG),
            context);
    topics.forEach(fresh::want);
    fresh.bootstrap(ClientUtils.parseAndValidateAddresses(config));
    return fresh;
  }

  /// Keeps the metadata of a topic up to date from now on.
  public void want(String topic) {
    metadata.want(topic);
  }

  /// Stops keeping the metadata of a topic up to date.
  public void forget(String topic) {
    metadata.forget(topic);
  }

  /// Requests the leaders of all topics again, as soon as the pause after the last answer is over.
  public void refresh() {
    metadata.requestUpdate(false);
  }

  /// Returns how often metadata of topics was received.
  public int updates() {
    return updatesBefore + metadata.updateVersion();
  }

  /// Returns the broker that leads a partition and the epoch of its leadership; neither if it is
  /// not known.
  public Metadata.LeaderAndEpoch leader(TopicPartition partition) {
    return metadata.currentLeader(partition);
  }

  /// The ids of topics, as last heard of.
  public Map<String, Uuid> topicIds() {
    return metadata.topicIds();
  }

  /// Returns a lane of its own for requests that must not wait behind others to the same broker.
  ///
  /// @param number a small positive number, for each kind of request another
  public Lane lane(int number) {
    return new Lane(this, number);
  }

  /// Returns the broker that has the least to do of those that can be sent to; null if none can.
  @Nullable Node leastLoaded() {
    return client.leastLoadedNode(time.milliseconds()).node();
  }

  /// Returns all brokers, as last heard of.
  List<Node> brokers() {
    return metadata.fetch().nodes();
  }

  /// Whether a broker is connected to that can be sent to.
  boolean isConnected(Node broker) {
    return client.isReady(broker, time.milliseconds());
  }

  /// Returns whether a request can be sent to the broker; if not, it is connected to.
  ///
  /// @throws org.apache.kafka.common.errors.AuthenticationException if it does not let this client
  ///   in
  public boolean isReady(Node broker) {
    long now = time.milliseconds();
    if (broker.port() <= 0 || broker.port() > LARGEST_PORT) {
      metadata.requestUpdate(false);
      return false;
    }
    if (client.ready(broker, now)) {
      return true;
    }
    RuntimeException refused = client.authenticationException(broker);
    if (refused != null) {
      throw refused;
    }
    if (client.connectionFailed(broker)) {
      metadata.requestUpdate(false);
    }
    return false;
  }

  /// Returns whether the last attempt to connect to a broker failed.
  public boolean hasFailed(Node broker) {
    return client.connectionFailed(broker);
  }

  /// Sends to a broker that is ready.
  ///
  /// @param answer is called during a later [#poll], once for each request
  public void send(Node broker, AbstractRequest.Builder<?> request, Answer answer) {
    long now = time.milliseconds();
    Request[] whole = new Request[1];
    ClientRequest sent =
        client.newClientRequest(
            broker.idString(),
            request,
            now,
            true,
            requestTimeoutMillis,
            response -> take(whole[0], response));
    whole[0] = new Request(sent, answer);
    underWay.add(whole[0]);
    client.send(sent, now);
  }

  private void take(Request request, ClientResponse response) {
    underWay.remove(request);
    // The connection layer would log what is thrown here, and forget it.
    try {
      request.answer.take(response);
      // outermost: rethrown by poll
    } catch (RuntimeException | Error e) {
      if (thrown == null) {
        thrown = e;
      }
    }
  }

  /// Sends requests, and receives answers and passes them on; waits if there are none.
  ///
  /// @throws KafkaException if the cluster does not let this client in
  public void poll(Duration atMost) {
    try {
      client.poll(Math.max(0, atMost.toMillis()), time.milliseconds());
      // outermost: the connection layer throws whatever taking an answer apart has thrown
    } catch (RuntimeException e) {
      if (!stopped) {
        startAnew(e);
      }
    }
    metadata.throwFatal();
    if (stopped) {
      throw new KafkaException("The connections are being closed.");
    }
    Throwable failure = thrown;
    if (failure != null) {
      thrown = null;
      switch (failure) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException(failure);
      }
    }
  }

  /// Opens all connections again after an answer that cannot be read. Other answers that arrived
  /// with it are lost, and the connection layer cannot assign later answers to requests.
  private void startAnew(RuntimeException why) {
    LOG.warn("An answer of a broker cannot be read; all connections are opened again.", why);
    Utils.closeQuietly(client, "connections");
    updatesBefore = updates() + 1;
    // What it knew of brokers may be the reason, and it is closed with the connections.
    metadata = newMetadata(metadata.wanted());
    client = connections.open(metadata, memory, metrics, context);
    List<Request> lost = List.copyOf(underWay);
    long now = time.milliseconds();
    for (Request each : lost) {
      ClientRequest sent = each.sent;
      take(
          each,
          new ClientResponse(
              sent.makeHeader(sent.apiKey().latestVersion()),
              null,
              sent.destination(),
              sent.createdTimeMs(),
              now,
              true,
              null,
              null,
              null));
    }
    LockSupport.parkNanos(this, pauseNanos);
  }

  /// Releases the memory of an answer, which must not be read afterwards.
  ///
  /// @param array in which it lies
  public void release(byte[] array) {
    memory.release(array);
  }

  /// Ends a waiting [#poll], or lets the next one not wait. Thread-safe.
  public void wakeup() {
    client.wakeup();
  }

  /// Makes every [#poll] fail from now on, including one that waits. Thread-safe.
  public void stop() {
    stopped = true;
    client.wakeup();
  }

  @Override
  public void close() {
    stopped = true; // whoever polls once more must not open connections anew
    Utils.closeQuietly(client, "connections");
    metrics.close();
    metadata.close();
  }
}
