package dev.millrace.benchmarks.jet;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.BuildInfoProvider;
import com.hazelcast.jet.Job;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.config.ProcessingGuarantee;
import com.hazelcast.jet.core.JobStatus;
import com.hazelcast.jet.kafka.KafkaSinks;
import com.hazelcast.jet.kafka.KafkaSources;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sink;
import com.hazelcast.jet.pipeline.StreamStage;
import dev.millrace.benchmarks.scenarios.Assignment;
import dev.millrace.benchmarks.scenarios.Scenario;
import dev.millrace.benchmarks.scenarios.ScenarioMain;
import dev.millrace.benchmarks.scenarios.ScenarioPeer;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Hazelcast Jet in the scenarios, as the only member of a cluster inside a process. It has no
/// state on disk.
public final class JetScenario implements ScenarioPeer {
  private static final Duration SNAPSHOT_INTERVAL = Duration.ofSeconds(10);
  private static final Duration SOON_SNAPSHOT_INTERVAL = Duration.ofMillis(100);

  private @Nullable HazelcastInstance instance;
  private @Nullable Job job;

  private JetScenario() {}

  public static void main(String[] args) throws Exception {
    ScenarioMain.run(JetScenario::new, args);
  }

  @Override
  public String version() {
    return "Hazelcast Jet " + BuildInfoProvider.getBuildInfo().getVersion();
  }

  @Override
  public String settings(Assignment assignment) {
    return "exactly-once, snapshots into memory every %s, which the sink's transactions wait for; %d cooperative threads; order kept, for which the sink is one processor; max.poll.records=5000, batch.size=131072, linger.ms=5; state %s"
        .formatted(
            interval(assignment),
            assignment.threads(),
            assignment.scenario() == Scenario.PASS ? "none" : "on the heap");
  }

  private static Duration interval(Assignment assignment) {
    return assignment.soon() ? SOON_SNAPSHOT_INTERVAL : SNAPSHOT_INTERVAL;
  }

  @Override
  public void start(Assignment assignment) {
    HazelcastInstance started = Hazelcast.newHazelcastInstance(config(assignment));
    instance = started;
    job =
        started
            .getJet()
            .newJob(
                pipeline(assignment),
                new JobConfig()
                    .setName(assignment.job())
                    .setProcessingGuarantee(ProcessingGuarantee.EXACTLY_ONCE)
                    .setSnapshotIntervalMillis(interval(assignment).toMillis()));
  }

  /// A member that looks for no others and tells nobody of itself.
  private static Config config(Assignment assignment) {
    Config config = new Config();
    config.setClusterName(assignment.job());
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    config.getJetConfig().setEnabled(true).setCooperativeThreadCount(assignment.threads());
    return config;
  }

  private static Pipeline pipeline(Assignment assignment) {
    Pipeline pipeline = Pipeline.create();
    pipeline.setPreserveOrder(true);
    boolean byOther = assignment.scenario() == Scenario.EXCHANGE;
    StreamStage<KeyedBytes> events =
        pipeline
            .readFrom(
                KafkaSources.<byte[], byte[], KeyedBytes>kafka(
                    consumer(assignment),
                    record -> KeyedBytes.of(record.key(), record.value(), byOther),
                    assignment.input()))
            .withoutTimestamps()
            .setLocalParallelism(assignment.threads());
    StreamStage<KeyedBytes> out =
        assignment.scenario() == Scenario.PASS
            ? events.map(Answering::tallied).setLocalParallelism(assignment.threads())
            : events
                .groupingKey(KeyedBytes::key)
                .mapStateful(Answering::new, Answering::answer)
                .setLocalParallelism(assignment.threads());
    // One processor, as by default: two would take turns at the records and change their order.
    out.writeTo(sink(assignment)).setLocalParallelism(1);
    return pipeline;
  }

  private static Properties consumer(Assignment assignment) {
    Properties consumer = new Properties();
    consumer.setProperty("bootstrap.servers", assignment.bootstrap());
    consumer.setProperty("key.deserializer", ByteArrayDeserializer.class.getName());
    consumer.setProperty("value.deserializer", ByteArrayDeserializer.class.getName());
    consumer.setProperty("auto.offset.reset", "earliest");
    consumer.setProperty("max.poll.records", "5000");
    return consumer;
  }

  private static Sink<KeyedBytes> sink(Assignment assignment) {
    Properties producer = new Properties();
    producer.setProperty("bootstrap.servers", assignment.bootstrap());
    producer.setProperty("key.serializer", ByteArraySerializer.class.getName());
    producer.setProperty("value.serializer", ByteArraySerializer.class.getName());
    producer.setProperty("batch.size", "131072");
    producer.setProperty("linger.ms", "5");
    String topic = assignment.output();
    return KafkaSinks.<KeyedBytes>kafka(producer)
        .toRecordFn(event -> new ProducerRecord<>(topic, event.keyBytes(), event.value()))
        .exactlyOnce(true)
        .build();
  }

  @Override
  public long processed() {
    if (Objects.requireNonNull(job).getStatus() == JobStatus.FAILED) {
      throw new IllegalStateException(
          "Jet's job has failed: " + Objects.requireNonNull(job).getSuspensionCause());
    }
    return ScenarioPeer.super.processed();
  }

  @Override
  public void stop() {
    HazelcastInstance running = instance;
    if (running != null) {
      running.getLifecycleService().terminate();
    }
  }
}
