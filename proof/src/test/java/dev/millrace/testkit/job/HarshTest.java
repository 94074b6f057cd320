package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.job.Counters.Keeping;
import dev.millrace.testkit.job.Visits.Visit;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HarshTest {
  private static void sendEvents(TestJob job) {
    TestInput<Object, Object> events = job.input("events");
    for (int i = 0; i < 24; i++) {
      events.send("key" + i % 5, "x");
    }
  }

  /// Gives each record a number that nothing keeps.
  private record Numbers(AtomicLong next) implements StreamApplication {
    @Override
    public String name() {
      return "numbers";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("events").value(Serdes.string()))
          .map(_ -> next.incrementAndGet())
          .as(Serdes.longs())
          .to(Kafka.sink("numbers").value(Serdes.longs()));
    }
  }

  @Test
  void whatIsRightPasses() {
    AtomicInteger runs = new AtomicInteger();
    Harsh.of(new Counters(Keeping.IN_A_STORE), HarshTest::sendEvents)
        .everyRecord()
        .then(job -> {
          runs.incrementAndGet();
          job.output("counted").hasValuesOf("key0", 1L, 2L, 3L, 4L, 5L).hasLatest("key4", 4L);
        })
        .check();
    // One without and 12 with other batches, one without memory, 3 times 2 and 8 with crashes.
    assertEquals(28, runs.get());
  }

  @Test
  void soDoWordsAndWindowsBehindExchanges() {
    Harsh.of(
            new Words(),
            job -> job.input("lines").send("the mill").send("the race").send("of the mill"))
        .everyRecord()
        .then(job -> job.output("word-counts").hasLatest("the", 3L))
        .check();
    Harsh.of(
            new Visits(Duration.ofHours(1)),
            job -> {
              var visits = job.input("visits");
              for (int i = 0; i < 20; i++) {
                visits.send(Visit.of("page" + i % 3, i * 7 % 10, i));
              }
              visits.end();
            })
        .check();
  }

  @Test
  void whatIsKeptInAFieldIsFound() {
    Harsh harsh = Harsh.of(new Counters(Keeping.IN_A_FIELD), HarshTest::sendEvents);
    String message = assertThrows(AssertionError.class, harsh::check).getMessage();
    assertTrue(message.contains("is restarted after each step"), message);
    assertTrue(message.contains("Topic 'counted' lacks:\n    key0 = 2\n"), message);
    assertTrue(message.contains("Topic 'counted' has too much:\n    key0 = 1\n"), message);
    assertTrue(message.contains("What a processor keeps outside its stores is lost"), message);
  }

  @Test
  void whatDependsOnWhereABatchEndsIsFound() {
    Harsh harsh = Harsh.of(new Counters(Keeping.FOR_A_BATCH), HarshTest::sendEvents);
    String message = assertThrows(AssertionError.class, harsh::check).getMessage();
    assertTrue(message.contains("when it reads 1 at a time"), message);
    assertTrue(message.contains("The end of a batch is arbitrary"), message);
  }

  @Test
  void aFunctionThatIsNotPureIsFound() {
    AtomicLong next = new AtomicLong();
    Harsh harsh =
        Harsh.of(
            new Numbers(next),
            job -> {
              next.set(0);
              for (int i = 0; i < 24; i++) {
                job.input("events").send("x");
              }
            });
    String message = assertThrows(AssertionError.class, harsh::check).getMessage();
    assertTrue(message.contains("is killed before every other commit"), message);
  }

  @Test
  void anExpectationThatDoesNotHoldIsSaidWithItsRun() {
    Harsh harsh =
        Harsh.of(new Counters(Keeping.IN_A_STORE), HarshTest::sendEvents)
            .then(job -> job.output("counted").hasLatest("key0", 9L));
    String message = assertThrows(AssertionError.class, harsh::check).getMessage();
    assertTrue(message.startsWith("When it is undisturbed, under seed 1: Topic"), message);
    assertTrue(message.contains("expected: 9"), message);
  }
}
