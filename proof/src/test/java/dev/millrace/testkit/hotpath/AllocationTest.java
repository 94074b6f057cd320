package dev.millrace.testkit.hotpath;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.loop.Worker;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Clock;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.testkit.disk.ModelFiles;
import dev.millrace.testkit.sim.SimulationSettings;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// What the engine allocates a record, beside the client: nothing that grows with the records but
/// what the user's own functions make.
// What other tests had the JIT compile would count too, so it goes first and alone.
@Order(0)
@Isolated
class AllocationTest {
  private static final int KEYS = 1_000;
  private static final int BATCH = 2_000;
  private static final long WARM_UP = 5_000_000;
  private static final long MEASURED = 2_000_000;
  private static final double MOST_BYTES = 32;
  private static final Split IN = new Split("in", 0);

  /// Copies records of 100 bytes.
  private record PassThrough() implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology.from(Kafka.source("in").bytes()).to(Kafka.sink("out").bytes());
    }

    @Override
    public String name() {
      return "pass-through";
    }
  }

  /// Counts by keys that stay bytes.
  private record Counting() implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.view()).value(Serdes.view()))
          .groupByKey()
          .count("counts")
          .to(Kafka.sink("out").key(Serdes.view()).value(Serdes.longs()));
    }

    @Override
    public String name() {
      return "counting";
    }
  }

  /// Gives the same object for all values, and writes the same bytes.
  private static final class Constant implements Serde<String> {
    @Override
    public String id() {
      return "constant";
    }

    @Override
    public void write(String value, BytesWriter out) {
      out.writeLong(1);
    }

    @Override
    public String read(Bytes in) {
      return "value";
    }
  }

  /// Lets functions see records.
  private record Seeing() implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.view()).value(new Constant()))
          .records()
          .filter(record -> record.timestamp() > 0 && !record.isRetraction())
          .mapValues(Record::value)
          .to(
              Kafka.sink("out")
                  .key(Serdes.view())
                  .value(new Constant())
                  .timestamp(_ -> Instant.EPOCH));
    }

    @Override
    public String name() {
      return "seeing";
    }
  }

  @Test
  void recordsThatAreSeenAllocateAtMost32BytesEach() {
    assertAllocates("seeing records", new Seeing());
  }

  @Test
  void passThroughAllocatesAtMost32BytesARecord() {
    assertAllocates("pass-through", new PassThrough());
  }

  @Test
  void countingByByteKeysAllocatesAtMost32BytesARecord() {
    assertAllocates("byte-keyed counting", new Counting());
  }

  private static void assertAllocates(String what, StreamApplication application) {
    double bytes = bytesPerRecord(application);
    System.out.printf(Locale.ROOT, "%s allocates %.1f bytes a record%n", what, bytes);
    assertTrue(bytes <= MOST_BYTES, what + " allocates " + bytes + " bytes a record");
  }

  private static double bytesPerRecord(StreamApplication application) {
    Treadmill log = new Treadmill(IN, batch());
    TopologyGraph graph = TopologyGraph.of(application);
    Plan plan = Planner.plan(application.name(), graph, Map.of("in", 1));
    Engine engine =
        new Engine(
            plan,
            Placement.single(1),
            SimulationSettings.engineSettings(Duration.ofMillis(100), Duration.ofSeconds(10)),
            MemoryLimits.defaults(),
            new Surroundings(
                log,
                new SortedRunDisks(new ModelFiles(1).mount(), 4),
                Clock.system(),
                Sources.connect(graph)));
    Worker worker = engine.workers().getFirst();
    step(worker, log, WARM_UP);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    long readBefore = log.read();
    long writtenBefore = log.written();
    step(worker, log, readBefore + MEASURED);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    long processed = log.written() - writtenBefore;
    assertTrue(processed > MEASURED / 2, "Only " + processed + " records came out.");
    return (double) allocated / processed;
  }

  private static void step(Worker worker, Treadmill log, long until) {
    long steps = 0;
    while (log.read() < until) {
      worker.step(Duration.ZERO);
      assertTrue(++steps < until, "Nothing is read.");
    }
  }

  private static RecordBatch batch() {
    RecordBatch batch = RecordBatch.create();
    batch.reset(IN, new byte[0], 0);
    byte[] value = "v".repeat(92).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < BATCH; i++) {
      byte[] key = "k%07d".formatted(i % KEYS).getBytes(StandardCharsets.UTF_8);
      batch.append(i, 1_000_000L + i);
      batch.key(key, 0, key.length);
      batch.value(value, 0, value.length);
    }
    return batch;
  }
}
