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

/// Reads committed entries of a store of a running job, from outside its tasks, as of the last
/// commit of the task that has the key. Changes that could still be rolled back are never returned.
/// Thread-safe.
///
/// All methods throw a [QueryException] if the job does not run, the key's task is in another
/// container, or no answer arrives in time, for example while a task is being restored.
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

  /// Returns a reader of the same store that waits at most this long for an answer; the default is
  /// five seconds.
  public StoreReader<K, V> within(Duration time) {
    return new StoreReader<>(name, store, time);
  }

  /// Returns a reader of the same store that also reads the copies which this process keeps of
  /// tasks of others, as `placement.standbys` has it do. A copy may be a moment behind what is
  /// committed; [#ask] says how long at most. Where none is young enough, Kafka is asked, and the
  /// answer comes when the copy has what was committed then. Entries of a range may be of two
  /// commits.
  ///
  /// @param oldest how old an answer may be
  public StoreReader<K, V> withCopies(Duration oldest) {
    return new StoreReader<>(name, store.withCopies(oldest), atMost);
  }

  /// A value and its age.
  ///
  /// @param value null if the key has none
  /// @param age how long ago this was the committed value, at most; zero if the task is in this
  ///   process
  public record Answer<V>(@Nullable V value, Duration age) {}

  /// Returns the committed value of a key, and how old that is.
  public Answer<V> ask(K key) throws InterruptedException {
    CommittedStore.Aged<V> found = await(store.aged(key));
    return new Answer<>(found.value(), found.age());
  }

  /// Returns the committed value of a key, or null if it has none.
  public @Nullable V get(K key) throws InterruptedException {
    List<V> found = await(store.get(key));
    return found.isEmpty() ? null : found.getFirst();
  }

  /// Returns the first entries with `from <= key < to` of one partition, in the order of the keys'
  /// bytes. Only for stores declared with ranges.
  ///
  /// @param partition from 0 to [#partitions] - 1; keys are partitioned as in the input
  /// @param from the first key, or null for the first of the store
  /// @param to the first key after the range, or null for the end
  /// @param count the largest number of entries to return, from 1 to 10,000
  public List<Entry<K, V>> range(int partition, @Nullable K from, @Nullable K to, int count)
      throws InterruptedException {
    if (count < 1 || count > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          "The count must be from 1 to %d entries, but is %d.".formatted(MOST_ENTRIES, count));
    }
    return await(store.range(partition, from, to, count)).stream()
        .map(found -> new Entry<>(found.key(), found.value()))
        .toList();
  }

  /// Returns the number of partitions of the store.
  public int partitions() {
    return store.partitions();
  }

  /// Returns the partitions that can be read here: those whose tasks are in this process, and those
  /// of copies for a reader [with copies][#withCopies].
  public SortedSet<Integer> partitionsHere() {
    return store.partitionsHere();
  }

  private <T> T await(CompletableFuture<T> answer) throws InterruptedException {
    try {
      return answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(false);
      throw new QueryException(
          "Store '%s' could not be read within %s, because its task is being restored or is busy. Try again later."
              .formatted(name, atMost));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof QueryException refused) {
        throw refused;
      }
      throw new QueryException("Store '%s' could not be read: %s".formatted(name, e.getCause()));
    }
  }
}
