package dev.millrace.testkit.job;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.WindowResult;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Timers in processing time fire once, when the job's clock has come to them, whatever happens.
class ClockTimersInJobsTest {
  private static final StoreSpec<String, Long> OPEN =
      StoreSpec.keyValue("open", Serdes.string(), Serdes.longs());

  /// Reminds of what was opened and not closed within an hour, and each hour after that.
  private static final class Reminders implements StreamApplication {
    @Override
    public String name() {
      return "reminders";
    }

    @Override
    public void describe(Topology topology) {
      KafkaKeyedSource<String, String> orders =
          Kafka.source("orders").key(Serdes.string()).value(Serdes.string());
      var reminders = topology.from(orders).process("remind", Reminder::new, OPEN);
      reminders.to(Kafka.sink("reminders").key(Serdes.string()).value(Serdes.string()));
      reminders
          .groupByKey()
          .window(Windows.tumbling(ofSeconds(10)).onlyFinal())
          .count("counted")
          .results(WindowResult::value)
          .as(Serdes.longs())
          .to(Kafka.sink("counts").key(Serdes.string()).value(Serdes.longs()));
    }
  }

  private static final class Reminder implements Processor<String, String, String> {
    private ProcessorContext<String> context;
    private KeyValueStore<String, Long> open;

    @Override
    public void open(ProcessorContext<String> opened) {
      context = opened;
      open = opened.store(OPEN);
    }

    @Override
    public void process(Records<String, String> records, Output<String> out) {
      while (records.next()) {
        String key = records.key();
        Long at = open.get(key);
        if (records.value().equals("open") && at == null) {
          remind(key, context.clock() + ofHours(1).toMillis());
        } else if (records.value().equals("close") && at != null) {
          context.cancelClockTimer(key, at);
          open.delete(key);
        }
      }
    }

    private void remind(String key, long at) {
      context.setClockTimer(key, at);
      open.put(key, at);
    }

    @Override
    public void onClockTimer(String key, long timestamp, Output<String> out) {
      if (context.clock() < timestamp) {
        throw new AssertionError("too early");
      }
      out.emit("remind " + key);
      remind(key, timestamp + ofHours(1).toMillis());
    }
  }

  private static void send(TestJob job, int second, String key, String value) {
    job.input("orders").at(Instant.ofEpochSecond(1_000_000 + second)).send(key, value);
  }

  private static void passEventTime(TestJob job, int second) {
    job.input("orders")
        .at(Instant.ofEpochSecond(1_000_000 + second))
        .sendToEveryPartition(i -> "other" + i, "nothing");
  }

  @Test
  void whatIsDueIsDoneOnceAndIsNotLateBehindIt() {
    Harsh.of(
            new Reminders(),
            job -> {
              IntStream.range(0, 9).forEach(i -> send(job, 4 * i, "key" + i, "open"));
              IntStream.range(0, 3).forEach(i -> send(job, 40 + i, "key" + 3 * i, "close"));
              passEventTime(job, 60);
              job.advance(ofMinutes(75));
              send(job, 61, "key1", "close");
              job.advance(ofMinutes(60));
              passEventTime(job, 1000);
            })
        .then(job -> {
          job.output("reminders")
              .hasValuesOf("key1", "remind key1")
              .hasValuesOf("key2", "remind key2", "remind key2")
              .hasValuesOf("key8", "remind key8", "remind key8")
              .hasNo("key0")
              .hasNo("key3")
              .hasNo("key6");
          // All of them within the ten seconds to which event time has come.
          job.output("counts")
              .hasValuesOf("key1", 1L)
              .hasValuesOf("key2", 2L)
              .hasValuesOf("key4", 2L);
        })
        .check();
  }

  @Test
  void aTimerOutlivesRestartsCrashesAndHosts() {
    for (int seed = 1; seed <= 5; seed++) {
      try (TestJob job = TestJob.of(new Reminders()).seed(seed)) {
        send(job, 0, "a", "open");
        job.restart();
        send(job, 1, "b", "open");
        job.crash();
        job.advance(ofMinutes(50));
        job.output("reminders").isEmpty();
        job.crashLosingDisks();
        job.advance(ofMinutes(20));
        job.crash();
        job.output("reminders").hasValuesOf("a", "remind a").hasValuesOf("b", "remind b");
      }
    }
  }

  @Test
  void noneIsWaitedForWhenTheInputHasEnded() {
    try (TestJob job = TestJob.of(new Reminders())) {
      send(job, 0, "a", "open");
      job.input("orders").end();
      job.advance(ofHours(3));
      job.output("reminders").isEmpty();
    }
  }
}
