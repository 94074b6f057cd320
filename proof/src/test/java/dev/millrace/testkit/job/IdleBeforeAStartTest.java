package dev.millrace.testkit.job;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.InputRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A partition was idle when the job ended, and has records when it starts again. Whoever begins
/// first, no window is closed before these are read.
class IdleBeforeAStartTest {
  private static final int MINUTES = 30;
  private static final int SEEDS = 12;
  private static final KafkaSource<String> READINGS =
      Kafka.source("readings").value(Serdes.string());

  private static final class CountsOfMinutes implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(READINGS)
          .groupBy("by-kind", reading -> reading)
          .window(tumbling(Duration.ofMinutes(1)).allowedLateness(Duration.ZERO))
          .count("counts")
          .results(result -> result.value())
          .as(Serdes.longs())
          .to(Kafka.sink("counted").key(Serdes.string()).value(Serdes.longs()));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatCameMeanwhileIsNotLate(boolean crashed) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      CountsOfMinutes application = new CountsOfMinutes();
      Shape shape =
          Shape.standard()
              .withSeed(seed)
              .withPartitions(2)
              .withBatch(3)
              .withContainers(1 + (int) seed % 2, 2)
              .withIdleAfter(Duration.ofSeconds(30));
      Described described = Described.of(application);
      Ground ground = Ground.of(On.VIRTUAL_TIME, application, shape, List.of("readings"));
      List<InputRecord> first = new ArrayList<>();
      add(first, 0, 0);
      add(first, 1, 0);
      try (Running job = Running.begin(ground, described, shape, first, Disturbance.NONE)) {
        job.rest();
        job.advance(Duration.ofMinutes(2)); // both are idle
        for (int minute = 1; minute < 3; minute++) {
          List<InputRecord> only = new ArrayList<>();
          add(only, 1, minute);
          job.write(only);
          job.rest();
        }
        List<InputRecord> meanwhile = new ArrayList<>();
        for (int minute = 3; minute < MINUTES; minute++) {
          add(meanwhile, 0, minute);
          add(meanwhile, 1, minute);
        }
        job.startBehind(meanwhile, crashed);
        job.rest();
        assertEquals("", job.counted(), "seed " + seed);
        job.advance(Duration.ofMinutes(2)); // they are idle again, and nobody waits
        long results = 0;
        for (int partition = 0; partition < 2; partition++) {
          results += job.written(new Split("counted", partition)).size();
        }
        // The last one is not closed.
        assertEquals(MINUTES - 1, results, "windows, seed " + seed);
      }
    }
  }

  private static void add(List<InputRecord> to, int partition, int minute) {
    to.add(
        new InputRecord(
            new Split("readings", partition),
            1_767_225_600_000L + 60_000L * minute,
            null,
            Bytes.ofUtf8("kind")));
  }

  private static final KafkaKeyedSource<String, String> ORDERS =
      Kafka.source("orders").key(Serdes.string()).value(Serdes.string());
  private static final KafkaKeyedSource<String, String> CUSTOMERS =
      Kafka.source("customers").key(Serdes.string()).value(Serdes.string());

  private static final class OrdersOfCustomers implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var customers = topology.table("known", CUSTOMERS);
      topology
          .from(ORDERS)
          .leftJoin("named", table(customers), (order, customer) -> order + customer)
          .as(Serdes.string())
          .groupByKey()
          .window(tumbling(Duration.ofSeconds(10)))
          .count("counts")
          .results(result -> result.value())
          .as(Serdes.longs())
          .to(Kafka.sink("counted").key(Serdes.string()).value(Serdes.longs()).withRetractions());
    }
  }

  /// Windows were being closed because one of two inputs was idle, a part of them at each step. A
  /// crash in between, after which that input waits for a table, does not let records in between.
  @Test
  void anAdvanceThatWasBrokenOffGoesOnWhereItWas() {
    int keys = 40_000;
    int broken = 0;
    for (long seed = 1; seed <= 6; seed++) {
      OrdersOfCustomers application = new OrdersOfCustomers();
      Shape shape =
          Shape.standard().withSeed(seed).withPartitions(1).withIdleAfter(Duration.ofSeconds(5));
      Described described = Described.of(application);
      Ground ground =
          Ground.of(On.VIRTUAL_TIME, application, shape, List.of("orders", "customers"));
      List<InputRecord> input = new ArrayList<>();
      for (int key = 0; key < keys; key++) {
        input.add(record("orders", "k" + key, 5));
      }
      input.add(record("customers", "k1", 30));
      try (Running job = Running.begin(ground, described, shape, input, Disturbance.NONE)) {
        job.rest();
        Split out = new Split("counted", 0);
        job.advance(Duration.ofMillis(4_900));
        for (int i = 0; i < 1_000 && job.written(out).isEmpty(); i++) {
          job.write(List.of(record("customers", "k1", 30)));
          job.advance(Duration.ofMillis(10));
        }
        int before = job.written(out).size();
        assertTrue(before > 0, "windows are closed once the orders are idle");
        broken += before < keys ? 1 : 0;
        job.startBehind(List.of(record("customers", "k2", 31), record("orders", "k1", 6)), true);
        job.rest();
        job.advance(Duration.ofMinutes(1));
        long counted = 0;
        for (ModelRecord record : job.written(out)) {
          long count = Serdes.longs().read(Objects.requireNonNull(record.value()));
          boolean taken =
              record.headers().stream().anyMatch(each -> each.name().equals("millrace.retraction"));
          counted += taken ? -count : count;
        }
        assertEquals(keys + 1, counted, "orders, seed " + seed);
      }
    }
    assertTrue(broken > 0, "some crash came in the middle");
  }

  private static InputRecord record(String topic, String key, int seconds) {
    return new InputRecord(
        new Split(topic, 0),
        1_767_225_600_000L + 1_000L * seconds,
        Bytes.ofUtf8(key),
        Bytes.ofUtf8("v"));
  }
}
