package dev.millrace.benchmarks.micro;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.state.CachedStore;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.RecordBatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// What a commit does for each key that was changed: it is encoded, becomes a record of the
/// changelog, and is merged into what is committed. The changes themselves are not measured.
@State(Scope.Thread)
public class ChangelogBenchmark {
  static final int KEYS = 20_000;
  private static final String CHANGELOG = "app-changelog";

  private final Bytes view = new Bytes();
  private final Outbox outbox = new Outbox(CHANGELOG, 64L << 20);
  private final TaskState state = Stores.open();
  private final CachedStore<Bytes, Long> counts = state.store(Stores.COUNTS);
  private RecordBatch batch = RecordBatch.create();
  private long sent;

  @Setup
  public void setUp() {
    outbox.add(CHANGELOG, 1);
    batch = Records.batch("in", KEYS, KEYS, Long.BYTES);
  }

  @Setup(Level.Invocation)
  public void change() {
    for (int i = 0; i < KEYS; i++) {
      counts.add(batch.key(i, view), 1);
    }
  }

  @TearDown
  public void close() {
    state.close();
  }

  /// @return how many records it made
  @Benchmark
  @What("a changed key at a commit: encoded, sent, merged")
  @OperationsPerInvocation(KEYS)
  public long commit() {
    sent = 0;
    state.freeze();
    while (!state.isPending()) {
      state.collect(
          Records.SLICE,
          (key, value) -> {
            RecordBatch to = outbox.append(CHANGELOG, 0, 0);
            to.key(key.array(), key.offset(), key.length());
            if (value != null) {
              to.value(value.array(), value.offset(), value.length());
            }
          });
      for (RecordBatch full : outbox.takeFullChanges()) {
        release(full);
      }
    }
    for (RecordBatch last : outbox.drainChanges()) {
      release(last);
    }
    state.acknowledge();
    while (state.settle(Records.SLICE)) {
      // until nothing is left
    }
    return sent;
  }

  private void release(RecordBatch changes) {
    sent += changes.size();
    changes.release();
  }
}
