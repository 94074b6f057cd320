package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.WindowResult;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Answers come once and in order, and windows behind calls wait for them, whatever happens.
class CallTest {
  private static final KafkaKeyedSource<String, String> EVENTS =
      Kafka.source("events").key(Serdes.string()).value(Serdes.string());

  private static KafkaKeyedSink<String, String> sink(String topic) {
    return Kafka.sink(topic).key(Serdes.string()).value(Serdes.string());
  }

  private record Asking(Call<String, String> call) implements StreamApplication {
    @Override
    public String name() {
      return "asking";
    }

    @Override
    public void describe(Topology topology) {
      var answers = topology.from(EVENTS).call("answers", call).as(Serdes.string());
      answers.to(sink("answers"));
      answers
          .groupBy("by-length", answer -> answer.substring(0, 1))
          .keyAs(Serdes.string())
          .window(Windows.tumbling(Duration.ofSeconds(10)).onlyFinal())
          .reduce("all", (one, other) -> one.length() > other.length() ? one : other)
          .results(WindowResult::value)
          .as(Serdes.string())
          .to(sink("longest"));
    }
  }

  private static String answer(String value) {
    return value.repeat(2);
  }

  private static void check(Call<String, String> call) {
    Harsh.of(
            new Asking(call),
            job -> {
              TestInput<Object, Object> events = job.input("events");
              for (int i = 0; i < 12; i++) {
                Instant time = Instant.ofEpochSecond(1_000_000 + 4 * i);
                events.at(time).send("key" + i % 2, "ab".charAt(i % 2) + "x".repeat(i));
              }
              events.end();
            })
        .everyRecord()
        .then(job -> {
          job.output("answers")
              .hasValuesOf(
                  "key0", "aa", "axxaxx", wide('a', 4), wide('a', 6), wide('a', 8), wide('a', 10));
          // Windows of 10 s begin at 1,000,000: records 0 to 2, 3 and 4, 5 to 7, 8 and 9, 10 and
          // 11.
          job.output("longest")
              .hasValuesOf(
                  "a", wide('a', 2), wide('a', 4), wide('a', 6), wide('a', 8), wide('a', 10))
              .hasValuesOf(
                  "b", wide('b', 1), wide('b', 3), wide('b', 7), wide('b', 9), wide('b', 11));
        })
        .check();
  }

  private static String wide(char first, int wide) {
    return (first + "x".repeat(wide)).repeat(2);
  }

  @Test
  void codeThatBlocksIsRunBeside() {
    check(Call.blocking(CallTest::answer));
  }

  @Test
  void codeThatReturnsAtOnceCompletesLater() {
    check(Call.future(value -> CompletableFuture.completedFuture(answer(value))));
  }

  @Test
  void severalThingsAreAskedAtOnce() {
    check(Call.batched(3, values -> values.stream().map(CallTest::answer).toList()));
  }

  private static TestJob job(Call<String, String> call) {
    TestJob job = TestJob.of(new Asking(call));
    for (int i = 0; i < 6; i++) {
      job.input("events").send("key" + i % 2, "v" + i);
    }
    return job;
  }

  private static void checkAll(TestJob job) {
    job.output("answers")
        .hasValuesOf("key0", "v0v0", "v2v2", "v4v4")
        .hasValuesOf("key1", "v1v1", "v3v3", "v5v5");
  }

  @Test
  void whatWaitsForItsTurnIsAwaitedThoughTheInputDoesNotEnd() {
    try (TestJob job = job(Call.blocking(CallTest::answer).perSecond(0.5))) {
      long begun = job.millis();
      checkAll(job);
      assertTrue(job.millis() - begun >= 10_000, () -> job.millis() - begun + " ms");
    }
  }

  @Test
  void whatIsRepeatedLaterIsAwaitedAlsoBehindACrash() {
    AtomicInteger calls = new AtomicInteger();
    Call<String, String> call =
        Call.<String, String>blocking(
                value -> {
                  if (calls.incrementAndGet() <= 3) {
                    throw new IllegalStateException("not now");
                  }
                  return answer(value);
                })
            .retries(2, Duration.ofMinutes(1));
    try (TestJob job = job(call)) {
      job.crash();
      checkAll(job);
      assertTrue(calls.get() >= 9, calls + " calls");
    }
  }

  @Test
  void anAnswerIsKeptForItsTimeAndThoseUsedLastAre() {
    List<String> asked = new ArrayList<>();
    Call<String, String> call =
        Call.<String, String>blocking(
                value -> {
                  asked.add(value);
                  return answer(value);
                })
            .cache(2, Duration.ofMinutes(1));
    try (TestJob job = TestJob.of(new Asking(call)).partitions(1)) {
      for (String value : List.of("a", "b", "a", "c", "a", "b")) {
        job.input("events").send("key", value);
        job.process();
      }
      assertEquals(List.of("a", "b", "c", "b"), asked);
      job.advance(Duration.ofMinutes(1));
      job.input("events").send("key", "b");
      job.output("answers").hasValuesOf("key", "aa", "bb", "aa", "cc", "aa", "bb", "bb");
      assertEquals(List.of("a", "b", "c", "b", "b"), asked);
    }
  }

  @Test
  void whenCallsFailInARowAllPauseUntilOneSucceeds() {
    AtomicInteger calls = new AtomicInteger();
    Call<String, String> call =
        Call.<String, String>blocking(
                value -> {
                  if (calls.incrementAndGet() <= 3) {
                    throw new IllegalStateException("not now");
                  }
                  return answer(value);
                })
            .inFlight(1)
            .retries(5, Duration.ofMillis(1))
            .breaker(2, Duration.ofSeconds(30));
    try (TestJob job = job(call)) {
      long begun = job.millis();
      checkAll(job);
      assertEquals(9, calls.get());
      // Behind the second and behind the third failure; not behind the success.
      long took = job.millis() - begun;
      assertTrue(took >= 60_000 && took < 75_000, took + " ms");
    }
  }

  @Test
  void whatStopsTheJobNamesOperatorPlaceCauseAndWayOut() {
    Call<String, String> call =
        Call.<String, String>blocking(
                value -> {
                  if (value.equals("bad")) {
                    throw new IllegalStateException("closed today");
                  }
                  return answer(value);
                })
            .retries(1, Duration.ofSeconds(1));
    try (TestJob job = TestJob.of(new Asking(call)).partitions(1)) {
      job.input("events").send("key0", "good").send("key1", "bad").send("key2", "good");
      String message = job.failure();
      for (String part :
          List.of(
              "Task 0-0",
              "call 'answers' has failed 2 times",
              "java.lang.IllegalStateException: closed today",
              "The next start calls it again",
              "otherwise(...)",
              "It was called with: bad, for the record at events:0:1")) {
        assertTrue(message.contains(part), () -> part + " is not in: " + message);
      }
    }
  }

  @Test
  void ofAKeyOneCallFollowsTheOther() {
    check(Call.<String, String>blocking(CallTest::answer).oneByOne().inFlight(2));
  }

  /// More windows close between two calls than at once, while the second one is under way.
  private record AskedTwice() implements StreamApplication {
    @Override
    public String name() {
      return "asked-twice";
    }

    @Override
    public void describe(Topology topology) {
      var closed =
          topology
              .from(EVENTS)
              .call("first", Call.blocking(CallTest::answer).perSecond(100))
              .as(Serdes.string())
              .groupByKey()
              .window(Windows.tumbling(Duration.ofSeconds(10)).onlyFinal())
              .reduce("all", (_, last) -> last)
              .results(WindowResult::value)
              .as(Serdes.string());
      closed.to(sink("longest"));
      closed
          .filter(value -> value.startsWith("early"))
          .call("second", Call.blocking(CallTest::answer).perSecond(0.01))
          .as(Serdes.string())
          .to(sink("answers"));
    }
  }

  @Test
  void allWindowsCloseWhileACallBehindThemIsUnderWay() {
    try (TestJob job = TestJob.of(new AskedTwice()).partitions(1)) {
      TestInput<Object, Object> events = job.input("events");
      events.at(Instant.ofEpochSecond(1_000_000)).send("key0", "early0").send("key1", "early1");
      Map<String, String> expected = new TreeMap<>();
      for (int i = 0; i < 3_000; i++) {
        events.at(Instant.ofEpochSecond(1_000_010)).send("key" + i, "v" + i);
        expected.put("key" + i, answer("v" + i));
      }
      events.end();
      job.output("longest").hasLatest(expected);
      job.output("answers")
          .hasLatest(Map.of("key0", answer(answer("early0")), "key1", answer(answer("early1"))));
    }
  }
}
