package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.disk.Hosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// How fast bad records pass, in the time of this machine: they do not stop a job. The bounds are a
/// small part of what is seen, so that a busy machine does not break them.
class BadRecordRateTest {
  private static final int RECORDS = 60_000;
  private static final int ROUNDS = 5;
  private static final long LEAST_A_SECOND = 5_000;

  record Event(String key, long value, String text) {}

  /// Where bad records fail.
  enum At {
    DECODED,
    MAPPED,
    AGGREGATED
  }

  private static Serde<Event> events(At at) {
    Serde<Event> plain = Serdes.record(Event.class);
    return new Serde<>() {
      @Override
      public String id() {
        return "event";
      }

      @Override
      public void write(Event value, BytesWriter out) {
        plain.write(value, out);
      }

      @Override
      public Event read(Bytes in) {
        Event event = plain.read(in);
        return at == At.DECODED ? check(event) : event;
      }
    };
  }

  private static Event check(Event event) {
    if (event.value() < 0) {
      throw new IllegalStateException("It is below 0.");
    }
    return event;
  }

  private record Sums(At at) implements StreamApplication {
    @Override
    public String name() {
      return "sums";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("events").key(Serdes.string()).value(events(at)).asBounded())
          .mapValues(event -> at == At.MAPPED ? check(event) : event)
          .groupByKey()
          .aggregate(
              "sums",
              () -> 0L,
              (sum, event) -> sum + (at == At.AGGREGATED ? check(event) : event).value())
          .to(Kafka.sink("sums").key(Serdes.string()).value(Serdes.longs()));
    }
  }

  private record Job(At at, int oneIn) implements DrawnJob {
    @Override
    public StreamApplication application() {
      return new Sums(at);
    }

    @Override
    public SimulationSettings settings() {
      SimulationSettings settings = SimulationSettings.of("events");
      return settings.withEngine(engine ->
          engine.withErrors(errors ->
              errors.withOnError(OnError.DEAD_LETTER).withDeadLetterTopic("dead-letters")));
    }

    @Override
    public Map<String, Integer> topics() {
      return Map.of("events", 1, "sums", 1);
    }

    @Override
    public List<InputRecord> input() {
      BytesWriter out = new BytesWriter();
      List<InputRecord> input = new ArrayList<>();
      for (int i = 0; i < RECORDS; i++) {
        long value = isBad(i) ? -1 : 1;
        Event event = new Event("k" + i % 100, value, "some text of event " + i);
        Serdes.record(Event.class).write(event, out.clear());
        input.add(
            new InputRecord(
                new Split("events", 0),
                1_000_000 + i,
                Bytes.ofUtf8(event.key()),
                Bytes.of(out.toByteArray())));
      }
      return input;
    }

    boolean isBad(int i) {
      return oneIn > 0 && i % oneIn == oneIn / 2;
    }

    long bad() {
      return oneIn == 0 ? 0 : RECORDS / oneIn;
    }

    @Override
    public void requireExact(Written written) {
      assertEquals(RECORDS - bad(), written.records("sums").size());
      assertEquals(bad(), written.records("dead-letters").size());
    }

    /// @return records a second
    long run() {
      try (Hosts hosts = Hosts.models()) {
        Simulation simulation = Simulation.prepared(1, this, settings(), hosts);
        simulation.startAll();
        long begun = System.nanoTime();
        simulation.runToCompletion(10_000_000);
        long nanos = System.nanoTime() - begun;
        long skipped =
            Objects.requireNonNull(simulation.engine(0)).taskMetrics().values().stream()
                .mapToLong(TaskMetrics::skipped)
                .sum();
        assertEquals(bad(), skipped);
        simulation.log().advance(Duration.ofSeconds(5));
        requireExact(Written.by(simulation));
        return RECORDS * 1_000_000_000L / nanos;
      }
    }
  }

  @Test
  void badRecordsPassWhereverTheyFail() {
    for (At at : At.values()) {
      long clean = 0;
      long some = 0;
      long all = 0;
      for (int i = 0; i < ROUNDS; i++) {
        clean = Math.max(clean, new Job(at, 0).run());
        some = Math.max(some, new Job(at, 100).run());
        all = Math.max(all, new Job(at, 1).run());
      }
      System.out.printf(
          Locale.ROOT,
          "bad records, %s: %d a second if none is bad, %d (%.2f of it) if 1 %% are, %d if all"
              + " are%n",
          at.name().toLowerCase(Locale.ROOT),
          clean,
          some,
          (double) some / clean,
          all);
      assertTrue(some > LEAST_A_SECOND, some + " a second");
      assertTrue(all > LEAST_A_SECOND, all + " a second");
    }
  }
}
