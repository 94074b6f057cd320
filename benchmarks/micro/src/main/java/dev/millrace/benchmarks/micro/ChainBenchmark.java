package dev.millrace.benchmarks.micro;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.RecordBatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The operators of a task: a slice of records from the fetched batch to the outbox.
@State(Scope.Thread)
public class ChainBenchmark {
  private static final int KEYS = 512;
  private static final int TIMES = 3_000;

  /// How many other applications have run in the JVM before.
  @Param({"0", "6"})
  public int others;

  private final Running pass = new Running(Pipelines.pass());
  private final Running five = new Running(Pipelines.five());
  private final Running count = new Running(Pipelines.count());
  private final Running fold = new Running(Pipelines.fold());
  private final Bytes view = new Bytes();
  private final RecordBatch out = RecordBatch.create();
  private RecordBatch events = RecordBatch.create();
  private RecordBatch numbers = RecordBatch.create();

  @Setup
  public void setUp() {
    events = Records.batch(Pipelines.IN, Records.SLICE, KEYS, Records.VALUE_BYTES);
    numbers = Records.batch(Pipelines.IN, Records.SLICE, KEYS, Long.BYTES);
    for (int i = 0; i < others; i++) {
      try (Running other = new Running(Pipelines.other(i))) {
        for (int times = 0; times < TIMES; times++) {
          through(other, numbers);
        }
      }
    }
  }

  @TearDown
  public void close() {
    pass.close();
    five.close();
    count.close();
    fold.close();
  }

  /// @return how many records left
  private static int through(Running running, RecordBatch batch) {
    running.process(batch);
    int left = 0;
    for (RecordBatch each : running.take()) {
      left += each.size();
      each.release();
    }
    return left;
  }

  /// All that was counted.
  long counted() {
    long sum = 0;
    for (int i = 0; i < KEYS; i++) {
      sum += count.counted(events.key(i, view));
    }
    return sum;
  }

  @Benchmark
  @What("pass a record of 100 bytes through")
  @OperationsPerInvocation(Records.SLICE)
  public int pass() {
    return through(pass, events);
  }

  @Benchmark
  @What("count a record by its key")
  @OperationsPerInvocation(Records.SLICE)
  public int count() {
    return through(count, events);
  }

  @Benchmark
  @What("fold a record into a number by its key")
  @OperationsPerInvocation(Records.SLICE)
  public int fold() {
    return through(fold, events);
  }

  @Benchmark
  @What("two maps and three filters, one record of 80 is left")
  @OperationsPerInvocation(Records.SLICE)
  public int fiveOperators() {
    return through(five, numbers);
  }

  /// The same by a loop, down to the batch that leaves: what no engine can be faster than.
  @Benchmark
  @What("the same by a loop written by hand")
  @OperationsPerInvocation(Records.SLICE)
  public int fiveByHand() {
    out.reset(numbers.split(), new byte[0], 0);
    for (int i = 0; i < numbers.size(); i++) {
      long number = Pipelines.fiveByHand(Numbers.LONGS.readLong(numbers.value(i, view)));
      if (number >= 0) {
        out.append(out.size(), numbers.timestamp(i));
        numbers.key(i, view);
        out.key(view.array(), view.offset(), view.length());
        int start = out.data().length();
        Numbers.LONGS.writeLong(number, out.data());
        out.endValue(start);
      }
    }
    return out.size();
  }
}
