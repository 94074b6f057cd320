package dev.millrace;

import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.kafka.client.ClientMemory;
import dev.millrace.internal.state.StateLimits;

/// The shares of a memory budget, in bytes, for all workers and tasks together. This is the only
/// place that divides the budget.
///
/// In the heap:
///
/// @param objects decoded objects of state; a third of them may be changed and not committed
/// @param committing what such a third becomes on its way: pending layer and changelog
/// @param committed entries that are committed and not on disk, two thirds of it before a flush is
///   begun, and arrivals of a restore
/// @param fetched what was fetched and not processed: half of it in batches that wait, half in
///   Kafka's clients
/// @param outbox what leaves the tasks, until Kafka's clients have copied it
/// @param sending buffers of Kafka's clients for what is not acknowledged
///
///   Outside the heap:
///
/// @param blocks of state on disk, with their indexes and filters; or the state itself, in memory
/// @param writing buffers of files being written and merged
/// @param network buffers of sockets
/// @param workers that all of this is for
record MemoryShares(
    long objects,
    long committing,
    long committed,
    long fetched,
    long outbox,
    long sending,
    long blocks,
    long writing,
    long network,
    int workers) {
  private static final long MB = 1 << 20;

  /// More would not make anything faster.
  private static final long MOST_SENDING = 64 * MB;

  private static final long MOST_OUTBOX = 16 * MB;
  private static final long MOST_FETCHED = 96 * MB;
  private static final long MOST_COMMITTED_OF_TASK = 96 * MB;

  private static final long WRITING = 24 * MB;
  private static final long WRITING_OF_WORKER = 4 * MB;
  private static final long LEAST_BLOCKS = 4 * MB;
  private static final long FEW_BLOCKS = 16 * MB;
  private static final int LIVE = 3;

  /// Divides.
  ///
  /// @param heapBytes what may be used of the heap
  /// @param offHeapBytes what may be used outside it
  static MemoryShares of(long heapBytes, long offHeapBytes, int workers) {
    long sending = Math.min(heapBytes * 8 / 100, MOST_SENDING * workers);
    long outbox = Math.min(heapBytes * 8 / 100, MOST_OUTBOX * workers);
    long fetched = Math.min(heapBytes * 16 / 100, MOST_FETCHED * workers);
    long state = heapBytes - sending - outbox - fetched;
    long committing = state * 19 / 100;
    long committed = state * 33 / 100;
    ClientMemory client = client(fetched, sending, workers);
    long network = network(client, workers);
    long writing = writing(workers);
    return new MemoryShares(
        state - committing - committed,
        committing,
        committed,
        fetched,
        outbox,
        sending,
        Math.max(LEAST_BLOCKS, offHeapBytes - network - writing),
        writing,
        network,
        workers);
  }

  /// Returns the memory that is needed outside the heap for a use of the heap, with few blocks.
  static long leastOffHeap(long heapBytes, int workers) {
    MemoryShares shares = of(heapBytes, 0, workers);
    return shares.network + shares.writing + FEW_BLOCKS;
  }

  private static long network(ClientMemory client, int workers) {
    return workers * (client.answerBytes() + client.requestBytes());
  }

  private static long writing(int workers) {
    return WRITING + workers * WRITING_OF_WORKER;
  }

  private static ClientMemory client(long fetched, long sending, int workers) {
    return new ClientMemory(fetched / 2 / ClientMemory.ANSWERS_HELD / workers, sending / workers);
  }

  /// Returns the limits of each worker's Kafka clients.
  ClientMemory client() {
    return client(fetched, sending, workers);
  }

  /// Returns the share of changed, uncommitted state, a part of [#objects].
  long live() {
    return objects / LIVE;
  }

  /// Returns the part of [#fetched] that waits in batches.
  long waiting() {
    return fetched / 2;
  }

  /// Returns the limits of each worker, and of each of a number of tasks.
  MemoryLimits limits(int tasks) {
    long committedOfTask = Math.min(committed / tasks, MOST_COMMITTED_OF_TASK);
    StateLimits ofTask =
        StateLimits.defaults()
            .withCacheBytes((objects + committed) / tasks - committedOfTask)
            .withLiveShareBytes(live() / tasks)
            .withCommittedShareBytes(committedOfTask);
    return new MemoryLimits(ofTask, waiting() / workers, outbox / workers);
  }

  /// Returns the sum of the shares in the heap.
  long heap() {
    return objects + committing + committed + fetched + outbox + sending;
  }

  /// Returns the sum of the shares outside the heap.
  long offHeap() {
    return blocks + writing + network;
  }
}
