package dev.millrace;

import dev.millrace.internal.engine.query.CommittedStore;
import dev.millrace.spi.job.QueryException;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Reads from a store of a running job, from outside its tasks: what is committed, as of the last
/// commit of the task that has the key, and never what may still be undone. Thread-safe.
///
/// All methods throw a [QueryException] if the job does not run, the key's task is in another
/// container, or no answer came in time, as while a task is restored.
public final class StoreReader<K, V> {
  /// A key and its committed value.
  public record Entry<K, V>(K key, V value) {}

  private static final int MOST_ENTRIES = 10_000;

  private final String name;
  private final CommittedStore<K, V> store;
  private final Duration atMost;

  StoreReader(String name, CommittedStore<K, V> store, Duration atMost) {
    this.name = name;
    this.store = store;
    this.atMost = atMost;
  }

  /// The same store, waited for so long at most; it is five seconds otherwise.
  public StoreReader<K, V> within(Duration time) {
    return new StoreReader<>(name, store, time);
  }

  /// The committed value of a key, or null if it has none.
  public @Nullable V get(K key) throws InterruptedException {
    List<V> found = await(store.get(key));
    return found.isEmpty() ? null : found.getFirst();
  }

  /// The first entries with `from <= key < to` of one partition, in the order of the keys' bytes.
  /// Only for stores declared with ranges.
  ///
  /// @param partition from 0 to [#partitions] - 1; keys are spread over them as in the input
  /// @param from null for the first there is
  /// @param to null for the end
  /// @param count how many entries at most, 1 to 10,000
  public List<Entry<K, V>> range(int partition, @Nullable K from, @Nullable K to, int count)
      throws InterruptedException {
    if (count < 1 || count > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          "Ask for 1 to %d entries at once, not %d.".formatted(MOST_ENTRIES, count));
    }
    return await(store.range(partition, from, to, count)).stream()
        .map(found -> new Entry<>(found.key(), found.value()))
        .toList();
  }

  /// Over how many partitions the keys are spread.
  public int partitions() {
    return store.partitions();
  }

  /// Those of them whose tasks are in this container, which are the ones that can be read here.
  public SortedSet<Integer> partitionsHere() {
    return store.partitionsHere();
  }

  private <T> T await(CompletableFuture<T> answer) throws InterruptedException {
    try {
      return answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(false);
      throw new QueryException(
          "Store '%s' was not answered for within %s: its task is being restored, or busy."
              .formatted(name, atMost));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof QueryException refused) {
        throw refused;
      }
      throw new QueryException("Store '%s' could not be read: %s".formatted(name, e.getCause()));
    }
  }
}
