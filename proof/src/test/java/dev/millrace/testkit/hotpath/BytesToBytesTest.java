package dev.millrace.testkit.hotpath;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Headers;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.Simulation;
import dev.millrace.testkit.sim.SimulationSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What nobody looks at is never decoded: bytes that were read are the bytes that are written.
class BytesToBytesTest {
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 1_000;

  private final CountingSerde keys = new CountingSerde();
  private final CountingSerde values = new CountingSerde();

  private final class Copy implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var in = topology.from(Kafka.source("in").key(keys).value(values).asBounded());
      in.to(Kafka.sink("out").key(keys).value(values));
      in.filter(value -> value.endsWith("7")).to(Kafka.sink("sevens").key(keys).value(values));
    }

    @Override
    public String name() {
      return "copy";
    }
  }

  private final class OnlyCopy implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(keys).value(values).asBounded())
          .to(Kafka.sink("out").key(keys).value(values));
    }

    @Override
    public String name() {
      return "only-copy";
    }
  }

  private Simulation run(StreamApplication application) {
    Simulation simulation = new Simulation(5, application, SimulationSettings.of("in"));
    for (String topic : List.of("in", "out", "sevens")) {
      simulation.log().createTopic(topic, PARTITIONS);
    }
    for (int i = 0; i < RECORDS; i++) {
      byte[] key = ("key " + i % 50).getBytes(StandardCharsets.UTF_8);
      BytesWriter headers = new BytesWriter();
      Headers.begin(1, headers);
      Headers.write("number", Integer.toString(i).getBytes(StandardCharsets.UTF_8), headers);
      simulation
          .log()
          .append(
              new Split("in", Partitioner.partition(Bytes.of(key), PARTITIONS)),
              1_000 + i,
              key,
              ("value " + i).getBytes(StandardCharsets.UTF_8),
              headers.toByteArray());
    }
    simulation.startAll();
    simulation.runToCompletion(200_000);
    return simulation;
  }

  @Test
  void sourceBytesReachTheSinkWithoutOneSerdeCall() {
    Simulation simulation = run(new OnlyCopy());
    assertEquals(0, keys.calls + values.calls);
    assertEquals(withoutOffsets(simulation, "in"), withoutOffsets(simulation, "out"));
  }

  @Test
  void aValueThatIsLookedAtIsDecodedOnceAndWrittenAsTheBytesItWas() {
    Simulation simulation = run(new Copy());
    assertEquals(0, keys.calls);
    assertEquals(RECORDS, values.calls);
    assertEquals(withoutOffsets(simulation, "in"), withoutOffsets(simulation, "out"));
    assertEquals(
        withoutOffsets(simulation, "in").stream().filter(r -> r.value().endsWith("7")).toList(),
        withoutOffsets(simulation, "sevens"));
  }

  private record Copied(
      int partition, long timestamp, String key, String value, List<ModelRecord.Header> headers) {}

  private static List<Copied> withoutOffsets(Simulation simulation, String topic) {
    List<Copied> all = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      for (ModelRecord each : simulation.log().records(topic, partition)) {
        all.add(
            new Copied(
                partition,
                each.timestamp(),
                String.valueOf(each.keyText()),
                String.valueOf(each.valueText()),
                each.headers()));
      }
    }
    return all;
  }
}
