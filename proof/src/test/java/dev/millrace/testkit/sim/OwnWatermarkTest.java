package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Records in no order at all, and marks among them that say up to when all have come.
class OwnWatermarkTest {
  private static final int SEEDS = 40;
  private static final int PARTITIONS = 2;
  private static final String MARK = "mark";

  private static Instant time(String value) {
    return Instant.ofEpochMilli(Long.parseLong(value.substring(value.indexOf('@') + 1)));
  }

  private static boolean isMark(String value) {
    return value.startsWith(MARK);
  }

  /// @param marked whether the marks are the watermark
  private record Counting(boolean marked) implements StreamApplication {
    @Override
    public String name() {
      return "counting";
    }

    @Override
    public void describe(Topology topology) {
      KafkaSource<String> in =
          Kafka.source("in").value(Serdes.string()).eventTime(OwnWatermarkTest::time);
      KafkaSource<String> read =
          marked ? in.watermark((before, value, time) -> isMark(value) ? time : before) : in;
      topology
          .from(read.asBounded())
          .filter(value -> !isMark(value))
          .groupBy("by-name", value -> value.substring(0, value.indexOf('@')))
          .window(tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ZERO))
          .count("counts")
          .results(r -> r.key() + "@" + r.window().start().toEpochMilli() + "=" + r.value())
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  /// Of each partition a stretch of time after the other, each in no order and with a mark behind
  /// it.
  private static Map<String, Long> write(Simulation simulation, long seed) {
    Map<String, Long> expected = new TreeMap<>();
    Seed random = new Seed(seed).fork("records");
    for (int partition = 0; partition < PARTITIONS; partition++) {
      long from = 1_000_000;
      for (int stretch = 0; stretch < 12; stretch++) {
        long length = 1_000L * random.between(5, 60);
        for (int i = random.below(20); i > 0; i--) {
          String name = "n" + random.below(4);
          long at = from + random.below((int) length);
          append(simulation, partition, name + "@" + at);
          expected.merge(name + "@" + at / 10_000 * 10_000, 1L, Long::sum);
        }
        from += length;
        append(simulation, partition, MARK + "@" + from);
      }
    }
    return expected;
  }

  private static void append(Simulation simulation, int partition, String value) {
    simulation
        .log()
        .append(
            new Split("in", partition),
            0,
            null,
            value.getBytes(StandardCharsets.UTF_8),
            new byte[0]);
  }

  /// @return whether every window has all of its records
  private static boolean run(long seed, boolean marked, CrashSchedule schedule) {
    SimulationSettings settings =
        SimulationSettings.of("in").withShape(new Seed(seed).between(1, 2), 1, false);
    Simulation simulation = new Simulation(seed, new Counting(marked), settings);
    simulation.log().createTopic("in", PARTITIONS);
    simulation.log().createTopic("out", PARTITIONS);
    Map<String, Long> expected = write(simulation, seed);
    Chaos.run(simulation, seed, schedule, Scenario.hasFaults(seed));
    simulation.log().advance(Duration.ofSeconds(5));
    Map<String, Long> found = new TreeMap<>();
    for (ModelRecord record : simulation.log().records("out")) {
      Bytes value = record.value();
      String[] result = (value == null ? "none=0" : value.toUtf8()).split("=");
      found.merge(result[0], Long.parseLong(result[1]), Long::sum);
    }
    return found.equals(expected);
  }

  @Test
  void marksSayUpToWhenAllHaveCome() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertTrue(run(seed, true, CrashSchedule.drawn(new Seed(seed), 0.003)), "seed " + seed);
    }
  }

  /// So the test can fail.
  @Test
  void byTheirTimesSomeAreLate() {
    long right =
        LongStream.rangeClosed(1, SEEDS)
            .filter(seed -> run(seed, false, CrashSchedule.drawn(new Seed(seed), 0.003)))
            .count();
    assertTrue(right < SEEDS, "Nothing was late.");
  }
}
