package dev.millrace.benchmarks.process;

import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/// A log that hands everything on to another: for those that change or count a part of it.
public class ForwardingLog implements Log {
  private final Log log;

  protected ForwardingLog(Log log) {
    this.log = log;
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    return log.writer(transactionalId, timeout);
  }

  @Override
  public String clusterId() {
    return log.clusterId();
  }

  @Override
  public Map<String, TopicInfo> topics(Collection<String> names) {
    return log.topics(names);
  }

  @Override
  public SortedSet<String> topicNames() {
    return log.topicNames();
  }

  @Override
  public Map<String, Integer> partitions(Collection<String> names) {
    return log.partitions(names);
  }

  @Override
  public void createTopics(Collection<TopicSpec> specs) {
    log.createTopics(specs);
  }

  @Override
  public void addPartitions(String topic, int partitions) {
    log.addPartitions(topic, partitions);
  }

  @Override
  public void changeSettings(String topic, Map<String, String> settings) {
    log.changeSettings(topic, settings);
  }

  @Override
  public Map<Split, Long> committedPositions(String group) {
    return log.committedPositions(group);
  }

  @Override
  public Map<Split, Long> positionsOfOthers(String group) {
    return log.positionsOfOthers(group);
  }

  @Override
  public void fence(Collection<String> transactionalIds) {
    log.fence(transactionalIds);
  }

  @Override
  public List<String> transactionalIds(String prefix) {
    return log.transactionalIds(prefix);
  }

  @Override
  public List<OpenTransaction> openTransactions(Split split) {
    return log.openTransactions(split);
  }

  @Override
  public void abortHanging(Split split, OpenTransaction transaction) {
    log.abortHanging(split, transaction);
  }

  @Override
  public void deleteBefore(Map<Split, Long> offsets) {
    log.deleteBefore(offsets);
  }

  @Override
  public Map<Split, Offsets> offsets(Collection<Split> splits) {
    return log.offsets(splits);
  }

  @Override
  public Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time) {
    return log.offsetsAt(splits, time);
  }

  @Override
  public SplitReader reader(String clientId) {
    return log.reader(clientId);
  }

  @Override
  public void close() {
    log.close();
  }
}
