package dev.millrace.testkit.job;

import static java.time.Duration.ofMinutes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A timer by the clock whose code throws is under the policy for bad input like one in event time.
class ClockTimersThatFailTest {
  private static final long HOUR = ofMinutes(60).toMillis();

  /// Says each key an hour after it came; it cannot say those that begin with "bad".
  private static final class Echoes implements StreamApplication {
    @Override
    public String name() {
      return "echoes";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("words").key(Serdes.string()).value(Serdes.string()))
          .process("echo", Echo::new)
          .to(Kafka.sink("echoes").key(Serdes.string()).value(Serdes.string()));
    }
  }

  private static final class Echo implements Processor<String, String, String> {
    private @Nullable ProcessorContext<String> context;

    @Override
    public void open(ProcessorContext<String> opened) {
      context = opened;
    }

    @Override
    public void process(Records<String, String> records, Output<String> out) {
      ProcessorContext<String> known = Objects.requireNonNull(context);
      while (records.next()) {
        known.setClockTimer(records.key(), known.clock() + HOUR);
      }
    }

    @Override
    public void onClockTimer(String key, long timestamp, Output<String> out) {
      out.emit("about to say " + key);
      if (key.startsWith("bad")) {
        throw new IllegalStateException("it will not pass my lips");
      }
      out.emit("said " + key);
    }
  }

  private static TestJob job(OnError policy) {
    TestJob job = TestJob.of(new Echoes()).partitions(2).onError(policy);
    for (String word : List.of("a", "bad1", "b", "c", "bad2", "d")) {
      job.input("words").at(Instant.ofEpochSecond(1_000_000)).send(word, word);
    }
    return job;
  }

  @Test
  void theOthersFireAndWhatFailedIsADeadLetterOnce() {
    for (Consumer<TestJob> disturbance :
        List.<Consumer<TestJob>>of(_ -> {}, TestJob::crash, TestJob::crashLosingDisks)) {
      try (TestJob job = job(OnError.DEAD_LETTER)) {
        job.advance(ofMinutes(30));
        disturbance.accept(job);
        job.advance(ofMinutes(40));
        disturbance.accept(job);
        job.advance(ofMinutes(70));
        TestOutput<Object, Object> out = job.output("echoes");
        for (String word : List.of("a", "b", "c", "d")) {
          out.hasValuesOf(word, "about to say " + word, "said " + word);
        }
        out.hasNo("bad1").hasNo("bad2");
        List<TestLetter> letters = job.deadLetters();
        assertEquals(
            List.of("bad1", "bad2"),
            letters.stream()
                .map(letter -> Objects.requireNonNull(letter.key()).toUtf8())
                .sorted()
                .toList());
        for (TestLetter letter : letters) {
          assertTrue(letter.header("millrace.cause").contains("my lips"), letter.toString());
          assertTrue(letter.header("millrace.source").contains("echo"), letter.toString());
        }
      }
    }
  }

  @Test
  void whereItIsToStopTheJobSaysWhichTimerAndTheWayOut() {
    try (TestJob job = job(OnError.FAIL)) {
      job.output("echoes").isEmpty();
      String failure =
          Objects.requireNonNull(
              assertThrows(Running.Stopped.class, () -> job.advance(ofMinutes(70))).getMessage());
      assertTrue(failure.contains("timer by the clock"), failure);
      assertTrue(failure.contains("key bad"), failure);
      assertTrue(failure.contains("errors.on-error: dead-letter"), failure);
    }
  }
}
