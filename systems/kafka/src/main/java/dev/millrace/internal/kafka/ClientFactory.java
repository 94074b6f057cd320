package dev.millrace.internal.kafka;

import dev.millrace.internal.kafka.client.AdminTimeouts;
import dev.millrace.internal.kafka.client.DirectSettings;
import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.internal.kafka.client.KafkaProperties;
import dev.millrace.internal.kafka.read.DirectFetcher;
import dev.millrace.internal.kafka.read.Landing;
import dev.millrace.internal.kafka.wire.Wire;
import dev.millrace.internal.kafka.write.DirectProducer;
import dev.millrace.internal.kafka.write.Producers;
import dev.millrace.internal.kafka.write.WriterIds;
import dev.millrace.internal.kafka.write.WriterName;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Creates the official clients. Their settings, in ascending precedence: those that suit whole
/// batches, those of the user, those that the semantics need. Thread-safe. A test creates others.
class ClientFactory implements Producers {
  private static final int BATCH_BYTES = 256 << 10;
  private static final int MOST_REQUESTS = 5;

  /// How long a broker that has had no records for a while waits for some, unless a request times
  /// out sooner. Each answer says where the end is, which is looked up after six seconds without.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(4);

  private static final Duration LONGEST_BLOCK = Duration.ofSeconds(10);
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(30);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final KafkaLogSettings settings;
  private final AtomicLong clients = new AtomicLong();

  ClientFactory(KafkaLogSettings settings) {
    this.settings = settings;
  }

  KafkaLogSettings settings() {
    return settings;
  }

  /// Returns how long the admin client tries.
  AdminTimeouts timeouts() {
    return AdminTimeouts.of(settings.properties(), settings.patience());
  }

  private Map<String, Object> base(ConfigDef definition) {
    // The kernel knows better than a constant how large its buffers must be.
    Map<String, Object> config =
        new HashMap<>(Map.of("receive.buffer.bytes", -1, "send.buffer.bytes", -1));
    config.putAll(KafkaProperties.knownTo(definition, settings.properties()));
    config.put("bootstrap.servers", settings.bootstrapServers());
    return config;
  }

  private String clientId(String role) {
    return settings.clientIdPrefix() + "-" + role + "-" + clients.incrementAndGet();
  }

  Admin admin() {
    Map<String, Object> config = base(AdminClientConfig.configDef());
    config.putAll(timeouts().missing());
    // A port that accepts and does not answer as Kafka does is tried a few times, not a hundred.
    config.putIfAbsent("reconnect.backoff.ms", 250L);
    config.putIfAbsent("reconnect.backoff.max.ms", 2_000L);
    // Several processes bar a writer that has died at the same moment, and are answered in turn;
    // meanwhile its tasks stand still.
    config.putIfAbsent("retry.backoff.ms", 20L);
    config.putIfAbsent("retry.backoff.max.ms", 200L);
    config.put("client.id", clientId("admin"));
    return make("an admin client", () -> Admin.create(config));
  }

  KafkaConsumer<Landing.Place, Landing.Place> consumer(String role, Landing landing) {
    Map<String, Object> config = consumer();
    // A poll gives about one batch, so that it can stay where it landed.
    config.putIfAbsent("max.poll.records", 2_000);
    config.put("client.id", clientId(role));
    return make("a consumer", () -> new KafkaConsumer<>(config, landing, landing));
  }

  /// Returns a reader by requests of our own.
  DirectFetcher fetcher(String role, BatchPool pool) {
    Map<String, Object> config = consumer();
    String clientId = clientId(role);
    config.put("client.id", clientId);
    config.put("key.deserializer", ByteArrayDeserializer.class);
    config.put("value.deserializer", ByteArrayDeserializer.class);
    return make(
        "a reader",
        () -> {
          ConsumerConfig parsed = new ConsumerConfig(config);
          return new DirectFetcher(
              new Wire(parsed, clientId, MOST_REQUESTS, settings.memory().answerBytes()),
              fetching(parsed),
              pool,
              clientId);
        });
  }

  private DirectFetcher.Settings fetching(ConsumerConfig config) {
    int answerBytes = config.getInt(ConsumerConfig.FETCH_MAX_BYTES_CONFIG);
    Duration patience = Duration.ofMillis(config.getInt(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG));
    boolean isGiven = settings.properties().containsKey(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
    int timeoutMillis = config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG);
    long longestMillis = Math.min(LONGEST_WAIT.toMillis(), timeoutMillis / 2);
    Duration longest = isGiven ? patience : Duration.ofMillis(longestMillis);
    return new DirectFetcher.Settings(
        answerBytes,
        config.getInt(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
        patience,
        longest,
        config.getInt(ConsumerConfig.FETCH_MIN_BYTES_CONFIG),
        Duration.ofMillis(config.getLong(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG)),
        settings.memory().unpackedBytes(answerBytes));
  }

  private Map<String, Object> consumer() {
    Map<String, Object> config = base(ConsumerConfig.configDef());
    config.putIfAbsent("max.partition.fetch.bytes", settings.memory().partitionBytes());
    config.putIfAbsent("fetch.max.bytes", (int) settings.memory().answerBytes());
    // A split that is added waits until the broker has answered what was asked before.
    config.putIfAbsent("fetch.max.wait.ms", 20);
    config.put("enable.auto.commit", false);
    config.put("isolation.level", "read_committed");
    config.put("auto.offset.reset", "none");
    config.put("allow.auto.create.topics", false);
    config.put("group.protocol", "classic");
    return config;
  }

  @Override
  public Producer<byte[], byte[]> transactional(String transactionalId, Duration timeout) {
    Map<String, Object> config = producer(timeout);
    config.put("client.id", clientId(transactionalId));
    config.put("transactional.id", transactionalId);
    config.put("transaction.timeout.ms", Math.toIntExact(timeout.toMillis()));
    return make("the producer of '" + transactionalId + "'", () -> newProducer(config));
  }

  @Override
  public Producer<byte[], byte[]> outside(String transactionalId, Duration timeout) {
    Map<String, Object> config = producer(timeout);
    config.put("client.id", clientId(transactionalId + "-outside"));
    // With more, the first request to a partition just created may be refused, as its leader is not
    // ready, and the second be taken: a broker takes any sequence number from a producer it has not
    // heard of. The first is then out of order for ever, until its delivery times out. (Within
    // transactions of version 2 a broker refuses a producer that does not begin at the beginning.)
    config.put("max.in.flight.requests.per.connection", 1);
    return make(
        "the producer beside the transactions of '" + transactionalId + "'",
        () -> newProducer(config));
  }

  /// Returns a writer by requests of our own.
  DirectProducer direct(WriterName name, WriterIds ids) {
    Map<String, Object> config = producer(name.timeout());
    String clientId = clientId(name.text());
    config.put("client.id", clientId);
    config.put("key.serializer", ByteArraySerializer.class);
    config.put("value.serializer", ByteArraySerializer.class);
    return make(
        "the writer of '" + name.text() + "'",
        () -> {
          ProducerConfig parsed = new ProducerConfig(config);
          Wire wire = new Wire(parsed, clientId, MOST_REQUESTS, 0);
          return new DirectProducer(name, directSettings(parsed), wire, ids);
        });
  }

  private static DirectSettings directSettings(ProducerConfig config) {
    return new DirectSettings(
        compression(config),
        config.getInt(ProducerConfig.BATCH_SIZE_CONFIG),
        config.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG),
        Duration.ofMillis(config.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG)),
        Duration.ofMillis(config.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG)),
        Duration.ofMillis(config.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG)),
        Duration.ofMillis(config.getLong(ProducerConfig.RETRY_BACKOFF_MS_CONFIG)));
  }

  private static Compression compression(ProducerConfig config) {
    return switch (CompressionType.forName(
        config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG))) {
      case GZIP ->
          Compression.gzip()
              .level(config.getInt(ProducerConfig.COMPRESSION_GZIP_LEVEL_CONFIG))
              .build();
      case LZ4 ->
          Compression.lz4()
              .level(config.getInt(ProducerConfig.COMPRESSION_LZ4_LEVEL_CONFIG))
              .build();
      case ZSTD ->
          Compression.zstd()
              .level(config.getInt(ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG))
              .build();
      case SNAPPY -> Compression.snappy().build();
      case NONE -> Compression.NONE;
    };
  }

  private static Producer<byte[], byte[]> newProducer(Map<String, Object> config) {
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private Map<String, Object> producer(Duration timeout) {
    Map<String, Object> config = base(ProducerConfig.configDef());
    // What was open when a process died is decided within milliseconds.
    config.putIfAbsent("retry.backoff.ms", 20);
    // A transaction is sent in one go and then flushed, so waiting for more records costs nothing.
    config.putIfAbsent("linger.ms", 10);
    config.putIfAbsent("batch.size", BATCH_BYTES);
    config.putIfAbsent("buffer.memory", settings.memory().sendBytes());
    config.putIfAbsent("max.request.size", settings.memory().requestBytes());
    config.putIfAbsent("max.block.ms", between(SHORTEST, timeout, LONGEST_BLOCK).toMillis());
    // Trying on is in vain once the log has aborted the transaction.
    config.putIfAbsent(
        "request.timeout.ms",
        Math.toIntExact(between(SHORTEST, timeout.dividedBy(2), LONGEST_REQUEST).toMillis()));
    long atLeast = number(config, "linger.ms") + number(config, "request.timeout.ms");
    config.putIfAbsent(
        "delivery.timeout.ms", Math.toIntExact(Math.max(atLeast, timeout.toMillis())));
    config.put("enable.idempotence", true);
    config.put("acks", "all");
    return config;
  }

  private static long number(Map<String, Object> config, String name) {
    Object parsed = ConfigDef.parseType(name, config.get(name), ConfigDef.Type.LONG);
    return parsed instanceof Long number ? number : 0;
  }

  private static Duration between(Duration least, Duration wanted, Duration most) {
    if (wanted.compareTo(least) < 0) {
      return least;
    }
    return wanted.compareTo(most) > 0 ? most : wanted;
  }

  private <T> T make(String what, Supplier<T> client) {
    try {
      return client.get();
    } catch (KafkaException e) {
      throw new LogException(
          Kind.REFUSED,
          "Kafka's client library cannot create %s with these properties: %s"
              .formatted(what, KafkaFailures.text(e)),
          e);
    }
  }
}
