package dev.millrace.benchmarks.micro;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.CachedStore;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.RecordBatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// An update of what the cache of a store holds.
@State(Scope.Thread)
public class StoreBenchmark {
  @Param({"10000", "1000000"})
  public int keys = 10_000;

  private final Bytes view = new Bytes();
  private RecordBatch batch = RecordBatch.create();
  private TaskState state = Stores.open();
  private CachedStore<Bytes, Long> counts = state.store(Stores.COUNTS);
  private CachedStore<Bytes, String> texts = state.store(Stores.TEXTS);
  private int at;

  @Setup
  public void setUp() {
    // Each key once, and then again from the front: not in the order in which they lie in memory.
    batch = Records.batch("in", keys, keys, Long.BYTES);
    for (int i = 0; i < keys; i++) {
      counts.add(Bytes.of(Records.key(i)), 0);
      texts.put(Bytes.of(Records.key(i)), "a");
    }
  }

  @TearDown
  public void close() {
    state.close();
  }

  private Bytes key(int index) {
    return batch.key(index, view);
  }

  /// One is added to a number.
  ///
  /// @return the last sum
  @Benchmark
  @What("add one to a number in the cache")
  @OperationsPerInvocation(Records.SLICE)
  public long count() {
    long sum = 0;
    for (int i = 0; i < Records.SLICE; i++) {
      sum = counts.add(key(at), 1);
      at = at + 1 == keys ? 0 : at + 1;
    }
    return sum;
  }

  /// A text is read.
  ///
  /// @return the length of all texts
  @Benchmark
  @What("get a text from the cache")
  @OperationsPerInvocation(Records.SLICE)
  public int read() {
    int length = 0;
    for (int i = 0; i < Records.SLICE; i++) {
      String text = texts.get(key(at));
      length += text == null ? 0 : text.length();
      at = at + 1 == keys ? 0 : at + 1;
    }
    return length;
  }

  /// A text is read and another put.
  ///
  /// @return how many texts had a single letter
  @Benchmark
  @What("get and put a text in the cache")
  @OperationsPerInvocation(Records.SLICE)
  public int replace() {
    int single = 0;
    for (int i = 0; i < Records.SLICE; i++) {
      Bytes key = key(at);
      String text = texts.get(key);
      boolean empty = text == null || text.isEmpty();
      single += empty ? 0 : 1;
      texts.put(key, empty ? "a" : "");
      at = at + 1 == keys ? 0 : at + 1;
    }
    return single;
  }
}
