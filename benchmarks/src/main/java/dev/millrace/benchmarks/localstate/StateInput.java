package dev.millrace.benchmarks.localstate;

import dev.millrace.benchmarks.process.Sending;
import dev.millrace.benchmarks.report.Names;
import dev.millrace.benchmarks.scenarios.Check;
import dev.millrace.benchmarks.scenarios.Distribution;
import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.benchmarks.scenarios.Topics;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/// A topic that was written for jobs to read, and what must come out of them.
///
/// @param before records that fill the state
/// @param records that use it
/// @param expected makes a check of what comes out, for one run each
record StateInput(String topic, long before, long records, Supplier<Check.Expected> expected) {
  private static final Duration LINGER = Duration.ofMillis(20);
  private static final long TOLD_EVERY = 100_000;

  /// Writes the topic of a job.
  static StateInput write(
      Access access,
      long ids,
      long records,
      String bootstrap,
      int partitions,
      Consumer<String> progress)
      throws InterruptedException, ExecutionException, TimeoutException {
    String topic = "%s-%d-%d".formatted(Names.of(access), ids, records);
    Topics.create(bootstrap, topic, partitions);
    LongUnaryOperator idOf = Distribution.UNIFORM.keyOf(ids);
    try (Sending sending = new Sending(bootstrap, LINGER)) {
      Writer writer = new Writer(topic, sending, progress);
      return switch (access) {
        case READ_WRITE -> writer.counted((int) ids, records, idOf);
        case READ_ONLY -> writer.lookedUp(ids, records, idOf);
      };
    }
  }

  private record Writer(String topic, Sending sending, Consumer<String> progress) {
    StateInput counted(int ids, long records, LongUnaryOperator idOf) {
      int[] counts = new int[ids];
      for (long number = 0; number < records; number++) {
        int id = (int) idOf.applyAsLong(number);
        counts[id]++;
        send(id, event(Messages.READ_WRITE_BYTES, false, id, number), number);
      }
      long asked = 0;
      for (int id = 0; id < ids; id++) {
        if (counts[id] > 0) {
          send(id, event(Event.HEAD_BYTES, true, id, records + asked), records + asked);
          asked++;
        }
      }
      sending.finish();
      long answers = asked;
      return new StateInput(topic, 0, records, () -> new ExpectedAnswers(counts, answers));
    }

    StateInput lookedUp(long ids, long records, LongUnaryOperator idOf) {
      for (long id = 0; id < ids; id++) {
        send(id, Messages.tableRecord(id), id);
      }
      for (long number = 0; number < records; number++) {
        long id = idOf.applyAsLong(number);
        send(id, event(Messages.READ_ONLY_BYTES, false, id, number), ids + number);
      }
      sending.finish();
      return new StateInput(topic, ids, records, () -> new ExpectedJoins(records, idOf));
    }

    private static byte[] event(int bytes, boolean asks, long id, long number) {
      byte[] value = new byte[bytes];
      Event.head(value, asks, id, number);
      return value;
    }

    private void send(long id, byte[] value, long number) {
      sending.send(topic, Event.toBytes(id), value);
      if (number % TOLD_EVERY == 0) {
        progress.accept("Writing %s: %,d records".formatted(topic, number));
      }
    }
  }
}
