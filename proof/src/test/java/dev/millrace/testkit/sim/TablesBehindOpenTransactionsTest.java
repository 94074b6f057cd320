package dev.millrace.testkit.sim;

import static dev.millrace.api.With.broadcast;
import static dev.millrace.api.With.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A stream waits for its table as far as that is decided when the task begins, and not for what
/// others have open at the end of the table's topic.
class TablesBehindOpenTransactionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /// How the table is looked up.
  private enum Way {
    KEYED,
    BROADCAST,
    THROUGH_AN_EXCHANGE
  }

  private record Prices(Way way, boolean bounded) implements StreamApplication {
    @Override
    public String name() {
      return "prices";
    }

    private KafkaKeyedSource<String, String> topic(String name) {
      KafkaKeyedSource<String, String> topic =
          Kafka.source(name).key(Serdes.string()).value(Serdes.string()).startAtEarliest();
      return bounded ? topic.asBounded() : topic;
    }

    @Override
    public void describe(Topology topology) {
      KeyedStream<String, String> orders = topology.from(topic("orders"));
      KeyedStream<String, String> priced =
          switch (way) {
            case KEYED ->
                orders.leftJoin(
                    "pricing", table(topology.table("rates", topic("rates"))), Prices::both);
            case BROADCAST ->
                orders.leftJoin(
                    "pricing",
                    broadcast(topology.broadcastTable("rates", topic("rates")), order -> "x"),
                    Prices::both);
            case THROUGH_AN_EXCHANGE ->
                orders.groupBy("again", _ -> "x").stream()
                    .leftJoin(
                        "pricing", table(topology.table("rates", topic("rates"))), Prices::both);
          };
      priced.to(Kafka.sink("priced").key(Serdes.string()).value(Serdes.string()));
    }

    private static String both(String order, String rate) {
      return order + " at " + rate;
    }
  }

  private static Simulation simulation(Way way, boolean bounded) {
    Simulation simulation =
        new Simulation(
            1, new Prices(way, bounded), SimulationSettings.of("orders", "rates", "priced"));
    for (String topic : List.of("orders", "rates", "priced")) {
      simulation.log().createTopic(topic, 1);
    }
    simulation.log().append("rates", 0, "x", "10", 0);
    simulation.log().append("rates", 0, "x", "11", 0);
    simulation.log().append("orders", 0, "x", "o1", 0);
    return simulation;
  }

  /// Writes a rate and leaves its transaction open.
  private static TransactionalWriter foreign(ModelLog log) {
    TransactionalWriter writer = log.writer("a-foreign-writer", Duration.ofMinutes(10));
    writer.open();
    RecordBatch batch = RecordBatch.create();
    batch.append(0, 0);
    byte[] key = "x".getBytes(StandardCharsets.UTF_8);
    byte[] value = "12".getBytes(StandardCharsets.UTF_8);
    batch.key(key, 0, key.length);
    batch.value(value, 0, value.length);
    writer.send(new Split("rates", 0), batch);
    return writer;
  }

  /// Steps until so many orders have their rates, or patience is at its end.
  private static List<String> priced(Simulation simulation, int wanted) {
    ModelLog log = simulation.log();
    long end = log.clock().millis() + PATIENCE.toMillis();
    while (log.records("priced").size() < wanted && log.clock().millis() < end) {
      simulation.step();
    }
    return log.records("priced").stream()
        .map(ModelRecord::valueText)
        .map(Objects::requireNonNull)
        .toList();
  }

  @Test
  void aStreamGoesOnWhileTheyAreOpen() {
    for (Way way : Way.values()) {
      Simulation simulation = simulation(way, false);
      try (TransactionalWriter writer = foreign(simulation.log())) {
        simulation.log().advance(Duration.ofSeconds(1));
        assertTrue(!simulation.log().openTransactions(new Split("rates", 0)).isEmpty());
        simulation.startAll();
        assertEquals(List.of("o1 at 11"), priced(simulation, 1), way.toString());

        writer.commit();
        simulation.log().advance(Duration.ofSeconds(1));
        assertEquals(TransactionalWriter.Outcome.COMMITTED, writer.outcome());
        for (int i = 0; i < 5_000; i++) {
          simulation.step();
        }
        simulation.log().append("orders", 0, "x", "o2", 0);
        assertEquals(List.of("o1 at 11", "o2 at 12"), priced(simulation, 2), way.toString());
      }
      assertEquals(List.of(), simulation.failures());
      simulation.endAll();
    }
  }

  /// The end of a bounded table is the end of its topic, whatever is decided there.
  @Test
  void ofABoundedTableItIsSaidWhoseTransactionIsWaitedFor() {
    Simulation simulation = simulation(Way.KEYED, true);
    try (TransactionalWriter writer = foreign(simulation.log());
        Heard heard = new Heard(TaskInput.class, Level.INFO)) {
      simulation.log().advance(Duration.ofSeconds(1));
      simulation.startAll();
      assertEquals(List.of(), priced(simulation, 1));
      assertTrue(
          heard.stream()
              .anyMatch(each ->
                  each.contains("'rates'")
                      && each.contains("'a-foreign-writer' in rates-0 from offset 2")),
          () -> heard.stream().toList().toString());
      writer.commit();
      simulation.runToCompletion(100_000);
      assertEquals(List.of("o1 at 12"), priced(simulation, 1));
    }
  }
}
