package dev.millrace.testkit.job;

import dev.millrace.api.Call;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.WindowResult;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Answers come once and in order, and windows behind calls wait for them, whatever happens.
class CallTest {
  private static final KafkaKeyedStream<String, String> EVENTS =
      Kafka.topic("events").key(Serdes.string()).value(Serdes.string());

  private static KafkaKeyedStream<String, String> sink(String topic) {
    return Kafka.topic(topic).key(Serdes.string()).value(Serdes.string());
  }

  private record Asking(Call<String, String> call) implements StreamApplication {
    @Override
    public String name() {
      return "asking";
    }

    @Override
    public void describe(Topology topology) {
      var answers = topology.from(EVENTS).call("answers", call, Serdes.string());
      answers.to(sink("answers"));
      answers
          .groupBy("by-length", answer -> answer.substring(0, 1), Serdes.string())
          .window(Windows.tumbling(Duration.ofSeconds(10)).onlyFinal())
          .reduce("all", (one, other) -> one.length() > other.length() ? one : other)
          .results(WindowResult::value, Serdes.string())
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

  @Test
  void ofAKeyOneCallFollowsTheOther() {
    check(Call.<String, String>blocking(CallTest::answer).oneByOne().inFlight(2));
  }
}
