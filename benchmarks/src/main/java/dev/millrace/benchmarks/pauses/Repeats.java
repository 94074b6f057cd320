package dev.millrace.benchmarks.pauses;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Takes the time from when a writer is told that its commit was aborted to when a record of its
/// tasks is processed again. Thread-safe.
final class Repeats {
  /// The offset of the record that was last processed in each partition; of one worker each.
  private final long[] last;

  private final AtomicReferenceArray<@Nullable Abort> under;
  private final List<Double> millis = new ArrayList<>();

  /// One that is not over yet, of one writer.
  private record Abort(AtomicLong sinceNanos) {}

  Repeats(int partitions) {
    last = new long[partitions];
    under = new AtomicReferenceArray<>(partitions);
  }

  /// A writer was told that what it sent to these partitions was aborted.
  void aborted(Iterable<Integer> partitions) {
    Abort abort = new Abort(new AtomicLong(System.nanoTime()));
    partitions.forEach(partition -> under.set(partition, abort));
  }

  /// A record is being processed, by the one thread that owns its partition.
  void processed(int partition, long offset) {
    boolean again = offset <= last[partition];
    last[partition] = offset;
    @Nullable Abort abort = again ? under.get(partition) : null;
    if (abort != null) {
      under.set(partition, null);
      long since = abort.sinceNanos.getAndSet(0);
      if (since > 0) {
        add((System.nanoTime() - since) / 1e6);
      }
    }
  }

  private synchronized void add(double each) {
    millis.add(each);
  }

  /// How long each took, in milliseconds.
  synchronized List<Double> millis() {
    return List.copyOf(millis);
  }
}
