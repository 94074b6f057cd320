package dev.millrace.testkit.log;

import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.Trace;
import dev.millrace.testkit.time.Scheduler;
import dev.millrace.testkit.time.VirtualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A model of Kafka in memory, in one thread, in virtual time: equal seeds and equal calls give
/// equal runs.
///
/// It behaves as a broker does where that matters: markers take offsets and are written after the
/// end of a transaction was answered, at different times in different partitions; an open
/// transaction holds back everybody's readers; epochs fence; a compacted topic has gaps. Time
/// passes only by [#advance] or the scheduler that was handed in, and nothing ever waits.
///
/// The model is itself a [Log] without faults: that of the test. What is tested gets the log of a
/// simulated process from [#client], which suffers from [#faults], [#cut] and [#crash]. Batches
/// from its readers are overwritten when they are released. Used by one thread.
public final class ModelLog implements Log {
  private static final String TEST = "test";

  private final Broker broker;
  private final TreeMap<String, Peer> peers = new TreeMap<>();
  private final Log test;
  private Faults faults = Faults.none();

  public ModelLog(Scheduler scheduler, Trace trace, Seed seed, ModelSettings settings) {
    broker = new Broker(scheduler, trace, seed.fork("log"), settings);
    Link reliable = new Link(TEST, broker, Faults::none);
    test = new ModelClient(reliable, new Batches());
    if (!settings.cleanEvery().isZero()) {
      scheduler.after(settings.cleanEvery(), this::cleanAll);
    }
  }

  /// A log with a scheduler, clock and trace of its own.
  public static ModelLog of(long seed) {
    return of(seed, ModelSettings.defaults());
  }

  /// A log with a scheduler, clock and trace of its own.
  public static ModelLog of(long seed, ModelSettings settings) {
    return new ModelLog(new Scheduler(new VirtualClock()), new Trace(), new Seed(seed), settings);
  }

  /// What is known of a simulated process.
  private static final class Peer {
    final Link link;
    Batches batches = new Batches();

    Peer(Link link) {
      this.link = link;
    }
  }

  // Time.

  public Scheduler scheduler() {
    return broker.scheduler;
  }

  public VirtualClock clock() {
    return broker.scheduler.clock();
  }

  /// Lets happen what is due by now.
  public void advance() {
    broker.scheduler.runDue();
  }

  /// Lets time pass, and what is due meanwhile happen.
  public void advance(Duration by) {
    broker.scheduler.advance(by);
  }

  // Processes and what happens to them.

  /// The log as a process sees it. After a [#crash] the process needs a new one.
  public Log client(String process) {
    Peer found = peer(process);
    return new ModelClient(found.link, found.batches);
  }

  /// What goes wrong from now on.
  public void faults(Faults newFaults) {
    faults = newFaults;
  }

  /// Ends all faults and cuts.
  public void calm() {
    faults = Faults.none();
    peers.values().forEach(peer -> peer.link.heal());
  }

  /// Cuts a process off, both ways: what it sends arrives after [#heal].
  public void cut(String process) {
    cut(process, true, true);
  }

  /// Cuts a process off, perhaps one way only.
  public void cut(String process, boolean requests, boolean answers) {
    peer(process).link.cut(requests, answers);
  }

  /// Ends a [#cut].
  public void heal(String process) {
    peer(process).link.heal();
  }

  /// Ends the life of a process: each of its requests on their way arrives or is lost, nothing it
  /// had opened may be used any more.
  public void crash(String process) {
    Peer crashed = peer(process);
    crashed.link.crash();
    crashed.batches = new Batches();
  }

  /// The number of batches a process got from its readers and has not released.
  public int batchesOut(String process) {
    return peer(process).batches.out();
  }

  /// The number of messages of a process on their way.
  public int inFlight(String process) {
    return peer(process).link.flying();
  }

  private Peer peer(String name) {
    return peers.computeIfAbsent(name, key -> new Peer(new Link(key, broker, () -> faults)));
  }

  // What tests write and read.

  /// Appends a record of texts outside any transaction.
  ///
  /// @param timestamp milliseconds since 1970 (UTC)
  /// @return its offset
  public long append(
      String topic, int partition, @Nullable String key, @Nullable String value, long timestamp) {
    return append(new Split(topic, partition), timestamp, utf8(key), utf8(value), new byte[0]);
  }

  /// Appends a record outside any transaction.
  ///
  /// @param timestamp milliseconds since 1970 (UTC)
  /// @param headers in the encoding of [dev.millrace.spi.Headers]
  /// @return its offset
  public long append(
      Split to, long timestamp, byte @Nullable [] key, byte @Nullable [] value, byte[] headers) {
    Payload payload = new Payload(timestamp, copy(key), copy(value), headers.clone());
    return broker.partition(to).append(List.of(payload));
  }

  private static byte @Nullable [] utf8(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte @Nullable [] copy(byte @Nullable [] bytes) {
    return bytes == null ? null : bytes.clone();
  }

  /// All records of a partition that a read-committed reader gets, in order.
  public List<ModelRecord> records(String topic, int partition) {
    return broker.partition(new Split(topic, partition)).committed();
  }

  /// All records of a topic that a read-committed reader gets, partition by partition, in order.
  public List<ModelRecord> records(String topic) {
    List<ModelRecord> all = new ArrayList<>();
    int partitions = broker.topic(topic).partitions.size();
    for (int i = 0; i < partitions; i++) {
      all.addAll(records(topic, i));
    }
    return all;
  }

  /// The records of a partition whose transactions are still open there, in order.
  public List<ModelRecord> undecided(String topic, int partition) {
    return broker.partition(new Split(topic, partition)).undecided();
  }

  /// A position with the present id of the topic. As in Kafka, the detail of a position is 16 bytes
  /// of topic id, then four with the leader epoch of the record before it: here -1, which means
  /// that it is not known.
  public Position position(Split split, long offset) {
    ModelPartition partition = broker.partition(split);
    return new Position(offset, new PositionDetail(partition.topic.id, -1).encode());
  }

  // What happened.

  public Trace trace() {
    return broker.trace;
  }

  /// A hash of everything that happened; equal seeds and equal calls give equal hashes.
  public long traceHash() {
    return broker.trace.hash();
  }

  // What an administrator, or bad luck, does.

  /// Deletes a topic; created again it is another one.
  public void deleteTopic(String topic) {
    broker.deleteTopic(topic);
  }

  /// Loses everything from an offset on, as after the election of a replica that lagged behind.
  public void truncate(Split split, long offset) {
    broker.partition(split).truncate(offset);
  }

  /// Loses everything below an offset, as retention does, whatever the policy of the topic.
  public void expire(Split split, long offset) {
    broker.partition(split).deleteBefore(offset);
  }

  /// Removes what newer records replaced in a compacted partition; see
  /// [ModelSettings#activeRecords].
  public void clean(Split split) {
    Cleaner.clean(broker.partition(split), clock().millis(), broker.settings.activeRecords());
  }

  private void cleanAll() {
    for (ModelTopic topic : broker.topics.values()) {
      topic.partitions.forEach(partition -> clean(partition.split));
    }
    broker.scheduler.after(broker.settings.cleanEvery(), this::cleanAll);
  }

  /// Opens a transaction with one record in a partition that nobody will ever end, as bugs of
  /// brokers and clients do. It holds back the readers until somebody calls [#abortHanging].
  ///
  /// @param transactionalId whose it seems to be
  /// @return the offset of the record
  public long hang(Split split, String transactionalId, @Nullable String key, String value) {
    Payload payload = new Payload(clock().millis(), utf8(key), utf8(value), new byte[0]);
    return broker
        .partition(split)
        .append(List.of(payload), broker.coordinator.strangeProducerId(), 0, transactionalId);
  }

  /// Sets positions of a group, as a person with a tool does.
  public void resetPositions(String group, Map<Split, Long> positions) {
    broker.groups.set(group, positions);
  }

  /// Begins a new leader epoch without a loss.
  public void electLeader(Split split) {
    broker.partition(split).electLeader();
  }

  // The log of the test.

  @Override
  public String clusterId() {
    return test.clusterId();
  }

  @Override
  public Map<String, TopicInfo> topics(Collection<String> names) {
    return test.topics(names);
  }

  @Override
  public SortedSet<String> topicNames() {
    return test.topicNames();
  }

  @Override
  public void createTopics(Collection<TopicSpec> specs) {
    test.createTopics(specs);
  }

  /// Has topics that are created from now on have other settings than Kafka's own defaults, where
  /// they say nothing.
  public void defaults(Map<String, String> settings) {
    broker.defaults.putAll(settings);
  }

  /// Creates a topic with the log's own settings.
  public void createTopic(String name, int partitions) {
    createTopic(new TopicSpec(name, partitions, -1, Map.of()));
  }

  @Override
  public void addPartitions(String topic, int partitions) {
    test.addPartitions(topic, partitions);
  }

  @Override
  public void changeSettings(String topic, Map<String, String> settings) {
    test.changeSettings(topic, settings);
  }

  @Override
  public Map<Split, Offsets> offsets(Collection<Split> splits) {
    return test.offsets(splits);
  }

  @Override
  public Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time) {
    return test.offsetsAt(splits, time);
  }

  @Override
  public Map<Split, Long> committedPositions(String group) {
    return test.committedPositions(group);
  }

  @Override
  public Map<Split, Long> positionsOfOthers(String group) {
    return test.positionsOfOthers(group);
  }

  @Override
  public SplitReader reader(String clientId) {
    return test.reader(clientId);
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    return test.writer(transactionalId, timeout);
  }

  @Override
  public void fence(Collection<String> transactionalIds) {
    test.fence(transactionalIds);
  }

  @Override
  public List<String> transactionalIds(String prefix) {
    return test.transactionalIds(prefix);
  }

  @Override
  public List<OpenTransaction> openTransactions(Split split) {
    return test.openTransactions(split);
  }

  @Override
  public void abortHanging(Split split, OpenTransaction transaction) {
    test.abortHanging(split, transaction);
  }

  @Override
  public void deleteBefore(Map<Split, Long> offsets) {
    test.deleteBefore(offsets);
  }

  @Override
  public void close() {
    test.close();
  }
}
