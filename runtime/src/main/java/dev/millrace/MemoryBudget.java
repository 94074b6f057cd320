package dev.millrace;

import dev.millrace.config.MemoryConfig;
import java.util.ArrayList;
import java.util.List;

/// The memory of a job that grows with its load, and whether it fits into its process.
///
/// Three quarters of a budget are for the heap, and a quarter for memory outside it. Without one,
/// half of the heap is used, the rest being for what user code allocates and for the collector; and
/// a third of that outside the heap, or less if the process could not have it.
record MemoryBudget(boolean derived, MemoryShares shares, ProcessMemory process) {
  private static final long MB = 1 << 20;

  /// The object, what it is encoded to, the pending layer, a batch, what is sent, what was fetched.
  private static final int COPIES_OF_RECORD = 6;

  /// Memory of a JVM outside the heap that is not counted: classes, compiled code, threads, Kafka's
  /// clients, fragmentation. Measured; see decision 9.
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

  /// Returns the whole budget in bytes.
  long bytes() {
    return shares.heap() + shares.offHeap();
  }

  /// Returns how it is divided, in one line.
  String describe() {
    return "a budget of %s%s: %s of a heap of %s (objects %s, commits under way %s, committed %s, fetched %s, outbox %s, sending %s) and %s outside it (blocks %s, writing %s, network %s)"
        .formatted(
            mb(bytes()),
            derived ? ", derived from the heap" : "",
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

  /// Returns warnings about settings that do not fit, with settings that would; empty if all fit.
  List<String> warnings(MemoryConfig config) {
    List<String> warnings = new ArrayList<>();
    Long budget = config.budget();
    if (budget != null && budget * 3 / 4 > mostHeap(process)) {
      warnings.add(
          "memory.budget of %s needs %s of the heap, which has %s, so only %s is used. Start with -Xmx%dm to use all of the budget."
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
          "A heap of %s, %s outside it and about %s for the JVM itself amount to %s. This process may have %s, of which at most %d %% (%s) should be used. %s"
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

  /// Returns a warning if one large record, with all of its copies, takes more memory than a worker
  /// may use; empty if not.
  ///
  /// @param largestBytes the largest value or record that may come
  List<String> warnings(int largestBytes) {
    long needed = (long) COPIES_OF_RECORD * largestBytes;
    long ofWorker = shares.heap() / shares.workers();
    if (needed <= ofWorker) {
      return List.of();
    }
    return List.of(
        "A value or record may have %s, which with its copies needs about %s, but a worker has only %s of the heap. Give the process more memory, or set smaller limits (state.max-value, exchanges.max-record)."
            .formatted(mb(largestBytes), mb(needed), mb(ofWorker)));
  }

  /// Returns a heap that fits, and a budget if one fits as well.
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
