package dev.millrace;

import dev.millrace.config.MemoryConfig;
import java.util.ArrayList;
import java.util.List;

/// The memory of a job that grows with its load, and whether it fits into its process.
///
/// Of a budget three quarters are for the heap and a quarter for what lies outside. Without one,
/// half of the heap is used, the rest being for what user code allocates and for the collector; and
/// a third of that outside the heap, or less if the process could not have it.
record MemoryBudget(boolean derived, MemoryShares shares, ProcessMemory process) {
  private static final long MB = 1 << 20;

  /// The object, what it is encoded to, the pending layer, a batch, what is sent, what was fetched.
  private static final int COPIES_OF_RECORD = 6;

  /// What a JVM takes besides the heap and what is counted: classes, compiled code, threads,
  /// Kafka's clients, fragments between pieces of memory. Measured; see decision 9.
  private static final long JVM = 220 * MB;

  /// And the collector's own tables, by the size of the heap.
  private static final int JVM_PERCENT_OF_HEAP = 4;

  private static final int USABLE_PERCENT_OF_HEAP = 60;
  private static final int USABLE_PERCENT_OF_LIMIT = 90;
  private static final long LEAST_HEAP = 64 * MB;

  static MemoryBudget of(MemoryConfig config, ProcessMemory process, int workers) {
    Long budget = config.budget();
    if (budget != null) {
      long heap = Math.min(budget * 3 / 4, mostHeap(process));
      return new MemoryBudget(false, MemoryShares.of(heap, budget / 4, workers), process);
    }
    long heap = process.heap() / 2;
    long left = usable(process) - process.heap() - jvm(process.heap());
    long least = MemoryShares.leastOffHeap(heap, workers);
    long offHeap = Math.clamp(left, least, Math.max(least, heap / 3));
    return new MemoryBudget(true, MemoryShares.of(heap, offHeap, workers), process);
  }

  private static long mostHeap(ProcessMemory process) {
    return process.heap() / 100 * USABLE_PERCENT_OF_HEAP;
  }

  private static long usable(ProcessMemory process) {
    return process.limit() / 100 * USABLE_PERCENT_OF_LIMIT;
  }

  private static long jvm(long heap) {
    return JVM + heap / 100 * JVM_PERCENT_OF_HEAP;
  }

  /// All that may be used.
  long bytes() {
    return shares.heap() + shares.offHeap();
  }

  /// How it is divided, in one line.
  String describe() {
    return "a budget of %s%s: %s of a heap of %s (objects %s, commits under way %s, committed %s, fetched %s, outbox %s, sending %s) and %s outside it (blocks %s, writing %s, network %s)"
        .formatted(
            mb(bytes()),
            derived ? ", which follows from the heap" : "",
            mb(shares.heap()),
            mb(process.heap()),
            mb(shares.objects()),
            mb(shares.committing()),
            mb(shares.committed()),
            mb(shares.fetched()),
            mb(shares.outbox()),
            mb(shares.sending()),
            mb(shares.offHeap()),
            mb(shares.blocks()),
            mb(shares.writing()),
            mb(shares.network()));
  }

  /// What does not fit, with what would; empty if all does.
  List<String> warnings(MemoryConfig config) {
    List<String> warnings = new ArrayList<>();
    Long budget = config.budget();
    if (budget != null && budget * 3 / 4 > mostHeap(process)) {
      warnings.add(
          "memory.budget of %s wants %s of the heap, which has %s: %s of it are used. Start with -Xmx%dm to use all of it."
              .formatted(
                  mb(budget),
                  mb(budget * 3 / 4),
                  mb(process.heap()),
                  mb(shares.heap()),
                  ceilMb(budget * 3 / 4 / USABLE_PERCENT_OF_HEAP * 100)));
    }
    long all = process.heap() + shares.offHeap() + jvm(process.heap());
    if (all > usable(process)) {
      warnings.add(
          "A heap of %s, %s outside it and about %s of the JVM itself are %s; of the %s that this process may have, no more than %d %% (%s) should be used. %s"
              .formatted(
                  mb(process.heap()),
                  mb(shares.offHeap()),
                  mb(jvm(process.heap())),
                  mb(all),
                  mb(process.limit()),
                  USABLE_PERCENT_OF_LIMIT,
                  mb(usable(process)),
                  wayOut()));
    }
    return List.copyOf(warnings);
  }

  /// What is to be said of large records: where one of them alone, with all the copies there are of
  /// it on its way, is more than what a worker may use. Empty if nothing is.
  ///
  /// @param largestBytes the largest value or record that may come
  List<String> warnings(int largestBytes) {
    long needed = (long) COPIES_OF_RECORD * largestBytes;
    long ofWorker = shares.heap() / shares.workers();
    if (needed <= ofWorker) {
      return List.of();
    }
    return List.of(
        "A value or record may have %s, which needs about %s on its way; a worker has %s of the heap. Give the process more memory, or set smaller limits (state.max-value, exchanges.max-record)."
            .formatted(mb(largestBytes), mb(needed), mb(ofWorker)));
  }

  /// A heap that fits, and a budget if one fits as well.
  private String wayOut() {
    // Without a budget, what lies outside the heap shrinks with it.
    long least = MemoryShares.leastOffHeap(shares.heap(), shares.workers());
    long forHeap = usable(process) - JVM - (derived ? least : shares.offHeap());
    long heap = forHeap * 100 / (100 + JVM_PERCENT_OF_HEAP);
    if (heap < LEAST_HEAP) {
      return "Give the process more memory.";
    }
    long offHeap = usable(process) - process.heap() - jvm(process.heap());
    long budget = Math.min(offHeap * 4, mostHeap(process) / 3 * 4);
    String smaller =
        derived || offHeap < least ? "" : ", or set memory.budget to %dMB".formatted(budget / MB);
    return "Start with -Xmx%dm%s.".formatted(heap / MB, smaller);
  }

  private static String mb(long bytes) {
    return ceilMb(bytes) + " MB";
  }

  private static long ceilMb(long bytes) {
    return (bytes + MB - 1) / MB;
  }
}
