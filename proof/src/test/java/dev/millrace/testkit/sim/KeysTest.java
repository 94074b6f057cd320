package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Keys on their way through a job.
class KeysTest {
  private static final int PARTITIONS = 3;

  /// Copies a topic into one whose keys have another format.
  private record Copies() implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.longs()).value(Serdes.string()).asBounded())
          .to(Kafka.sink("out").key(Serdes.kafkaLong()).value(Serdes.string()));
    }

    @Override
    public String name() {
      return "copies";
    }
  }

  /// Keeps state by key.
  private static final class Counts implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.longs()).value(Serdes.string()).asBounded())
          .groupByKey()
          .count("counts")
          .to(Kafka.sink("out").key(Serdes.longs()).value(Serdes.longs()));
    }

    @Override
    public String name() {
      return "counts";
    }
  }

  private static byte[] key(long number) {
    BytesWriter out = new BytesWriter();
    Serdes.longs().write(number, out);
    return out.toByteArray();
  }

  private static Simulation simulation(StreamApplication application) {
    Simulation simulation = new Simulation(1, application, SimulationSettings.of("in"));
    simulation.log().createTopic("in", PARTITIONS);
    simulation.log().createTopic("out", PARTITIONS);
    return simulation;
  }

  private static void append(Simulation simulation, int partition, long key) {
    byte[] value = ("v" + key).getBytes(StandardCharsets.UTF_8);
    simulation.log().append(new Split("in", partition), 0, key(key), value, new byte[0]);
  }

  @Test
  void aSinkWithKeysOfAnotherFormatGetsThatFormatAndItsPartition() {
    Simulation simulation = simulation(new Copies());
    for (long number = 0; number < 50; number++) {
      int partition = Partitioner.partition(Bytes.of(key(number)), PARTITIONS);
      append(simulation, partition, number);
    }
    simulation.startAll();
    simulation.runToCompletion(100_000);
    int found = 0;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      for (ModelRecord record : simulation.log().records("out", partition)) {
        Bytes key = record.key();
        assertTrue(key != null && key.length() == Long.BYTES, record.toString());
        long number = ByteBuffer.wrap(key.toByteArray()).getLong();
        assertEquals("v" + number, record.valueText());
        assertEquals(Partitioner.partition(key, PARTITIONS), partition);
        found++;
      }
    }
    assertEquals(50, found);
  }

  @Test
  void aTopicThatIsNotPartitionedByItsKeyStopsTheJob() {
    Simulation simulation = simulation(new Counts());
    int right = Partitioner.partition(Bytes.of(key(7)), PARTITIONS);
    append(simulation, (right + 1) % PARTITIONS, 7);
    simulation.startAll();
    while (simulation.failures().isEmpty()) {
      simulation.step();
      assertTrue(simulation.steps() < 10_000, "Nobody noticed.");
    }
    Failure failure = simulation.failures().getFirst();
    assertEquals(Failure.Kind.SETUP, failure.kind());
    assertTrue(
        failure.message().contains("in:" + (right + 1) % PARTITIONS + ":0"), failure::message);
    assertTrue(failure.message().contains("groupBy"), failure::message);
  }

  @Test
  void whatWasReadOfAnExchangeIsDeleted() {
    Simulation simulation =
        new Simulation(1, new SumsJob.Sums(""), SimulationSettings.of("events"));
    simulation.log().createTopic("events", PARTITIONS);
    simulation.log().createTopic("sums", 1);
    simulation.log().createTopic("top", 1);
    byte[] value = new byte[0];
    BytesWriter out = new BytesWriter();
    for (int i = 0; i < 100; i++) {
      Serdes.record(SumsJob.Event.class).write(new SumsJob.Event("k", 2, i), out.clear());
      byte[] key = "k".getBytes(StandardCharsets.UTF_8);
      Split split = new Split("events", Partitioner.partition(Bytes.of(key), PARTITIONS));
      simulation.log().append(split, 0, key, out.toByteArray(), value);
    }
    simulation.startAll();
    simulation.runToCompletion(100_000);
    var engine = simulation.engine(0);
    assertTrue(engine != null);
    engine.purge();
    for (var exchange : simulation.plan().exchanges()) {
      for (int partition = 0; partition < exchange.partitions(); partition++) {
        Split split = new Split(exchange.topic(), partition);
        var offsets = simulation.log().offsets(List.of(split)).get(split);
        assertTrue(offsets != null && offsets.end() > 0, split.toString());
        // What is left is the marker behind the last record.
        assertTrue(offsets.end() - offsets.start() <= 1, split + " " + offsets);
      }
    }
  }
}
