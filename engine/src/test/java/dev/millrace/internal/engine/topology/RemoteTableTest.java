package dev.millrace.internal.engine.topology;

import static dev.millrace.api.With.remote;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.RemoteTable.Write;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.PlanText;
import dev.millrace.internal.engine.plan.Planner;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// How remote tables stand in plans, and what cannot be done with them.
class RemoteTableTest {
  private static final KafkaKeyedSource<String, Long> ORDERS =
      Kafka.source("orders").key(Serdes.string()).value(Serdes.longs());
  private static final Call<String, Long> GET = Call.blocking(_ -> 1L);
  private static final Call<Write<String, Long>, Object> PUT = Call.blocking(write -> write);
  private static final RemoteTable<String, Long> READ = RemoteTable.read("prices", GET);
  private static final RemoteTable<String, Long> WRITTEN = RemoteTable.written("totals", PUT);

  @Test
  void aPlanShowsThem() {
    String plan =
        plan(t ->
            t.from(ORDERS)
                .join("priced", remote(READ), Long::sum)
                .leftJoin("taxed", remote(READ, order -> "" + order), (order, tax) -> order)
                .as(Serdes.longs())
                .put("written", WRITTEN));
    assertTrue(plan.contains("priced: join with remote prices\n"), plan);
    assertTrue(plan.contains("taxed: leftJoin with remote prices\n"), plan);
    assertTrue(plan.contains("written: put to remote totals\n"), plan);
    assertTrue(plan.contains("store 3: written-waiting, key number, value waiting(long)"), plan);
  }

  @Test
  void oneThatIsReadAndWrittenIsBoth() {
    RemoteTable<String, Long> both = RemoteTable.of("both", GET, PUT);
    String plan = plan(t -> t.from(ORDERS).join("known", remote(both), Long::sum).put("new", both));
    assertTrue(plan.contains("known: join with remote both\n"), plan);
    assertTrue(plan.contains("new: put to remote both\n"), plan);
  }

  @Test
  void oneThatIsOnlyWrittenCannotBeRead() {
    assertRefused(
        "Remote table 'totals' is only written: RemoteTable.of(name, get, put) gives one that is"
            + " read, too.",
        () -> plan(t -> t.from(ORDERS).join("priced", remote(WRITTEN), Long::sum)));
  }

  @Test
  void oneThatIsOnlyReadCannotBeWritten() {
    assertRefused(
        "Remote table 'prices' is only read: RemoteTable.of(name, get, put) gives one that is"
            + " written, too.",
        () -> plan(t -> t.from(ORDERS).groupByKey().stream().put("written", READ)));
  }

  @Test
  void writesAreInOrderAndNotLeftOut() {
    assertRefused(
        "The call that writes remote table 'totals' is unordered, and the last write of a key would"
            + " not be the one that stays. Leave out unordered().",
        () -> RemoteTable.written("totals", PUT.unordered()));
    assertRefused(
        "The call that writes remote table 'totals' has a cache, which would leave out writes. Give"
            + " the cache to the call that reads.",
        () -> RemoteTable.of("totals", GET, PUT.cache(10, Duration.ofSeconds(1))));
  }

  @Test
  void correctedResultsLookNothingUp() {
    assertRefused(
        WrongTopologiesTest.corrected("join 'priced'", ""),
        () ->
            plan(t ->
                t.from(ORDERS)
                    .groupByKey()
                    .window(
                        Windows.tumbling(Duration.ofSeconds(1))
                            .allowedLateness(Duration.ofSeconds(9)))
                    .reduce("sum", Long::sum)
                    .results(result -> result.value())
                    .as(Serdes.longs())
                    .join("priced", remote(READ), Long::sum)));
  }

  private static String plan(StreamApplication application) {
    return PlanText.text(Planner.plan("shop", TopologyGraph.of(application), Map.of("orders", 2)));
  }

  private static void assertRefused(String message, Runnable refused) {
    assertEquals(message, assertThrows(InvalidTopologyException.class, refused::run).getMessage());
  }
}
