package dev.millrace.benchmarks.pauses;

import dev.millrace.api.Kafka;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.Records;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Counts records by key, writes every tenth count of a key, and notes which record is processed.
final class WatchedCounts implements StreamApplication {
  private static final long TOLD_EVERY = 10;
  private static final byte[] NOTHING = {};

  private final String name;
  private final String topic;
  private final Repeats repeats;

  WatchedCounts(String name, String topic, Repeats repeats) {
    this.name = name;
    this.topic = topic;
    this.repeats = repeats;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void describe(Topology topology) {
    Repeats seen = repeats;
    topology
        .from(Kafka.source(topic).key(Serdes.kafkaLong()).value(Serdes.bytes()))
        .process("watch", () -> new Watch(seen))
        .groupByKey()
        .count("counts")
        .toStream()
        .filter(count -> count % TOLD_EVERY == 0)
        .to(Kafka.sink(name + "-out").key(Serdes.kafkaLong()).value(Serdes.kafkaLong()));
  }

  private record Watch(Repeats repeats) implements Processor<Long, byte[], byte[]> {
    @Override
    public void process(Records<Long, byte[]> records, Output<byte[]> out) {
      while (records.next()) {
        repeats.processed(records.partition(), records.offset());
        out.emit(NOTHING);
      }
    }
  }
}
