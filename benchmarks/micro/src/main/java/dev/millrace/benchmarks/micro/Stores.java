package dev.millrace.benchmarks.micro;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.state.NumberedStore;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.internal.state.TaskState;
import dev.millrace.internal.state.memory.MemoryDisks;
import java.util.List;

/// A task's state with two stores, in memory.
final class Stores {
  /// Bytes to numbers.
  static final int COUNTS = 1;

  /// Bytes to texts.
  static final int TEXTS = 2;

  private static final long CACHE_BYTES = 512L << 20;

  private Stores() {}

  static TaskState open() {
    return new TaskState(
        "0-0",
        new MemoryDisks().open("0-0"),
        List.of(
            new NumberedStore(
                COUNTS, StoreSpec.<Bytes, Long>keyValue("counts", Serdes.view(), Serdes.longs())),
            new NumberedStore(
                TEXTS, StoreSpec.<Bytes, String>keyValue("texts", Serdes.view(), Serdes.string()))),
        StateLimits.defaults().withCacheBytes(CACHE_BYTES).withCommittedShareBytes(CACHE_BYTES));
  }
}
