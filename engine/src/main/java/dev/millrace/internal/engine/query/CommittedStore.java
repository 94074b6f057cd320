package dev.millrace.internal.engine.query;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.CommittedState.Entry;
import dev.millrace.spi.job.QueryException;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// What is committed of one store in the tasks of this container, by key. Thread-safe.
///
/// A key is looked for in the task that its bytes belong to by the partitioner of the log. That is
/// where a store has it whose keys are those of the records, as all but a processor's own are.
public final class CommittedStore<K, V> {
  private final Plan plan;
  private final Plan.Stage stage;
  private final Plan.Store store;
  private final Serde<K> keySerde;
  private final Serde<V> valueSerde;
  private final Asked asked;
  private final @Nullable Duration oldest;

  /// Those in this container that answer.
  public interface Asked {
    /// Brings a question to the worker that owns its task, or else to who keeps a copy of it if the
    /// question may be answered from one.
    ///
    /// @throws QueryException if nobody in this container can answer
    void ask(Question question);

    /// Whether a worker owns a task.
    boolean owns(Plan.TaskId task);

    /// Whether there is a copy of the state of a task that another container owns.
    boolean copies(Plan.TaskId task);
  }

  private CommittedStore(
      Plan plan,
      Plan.Stage stage,
      Plan.Store store,
      Serde<K> keySerde,
      Serde<V> valueSerde,
      Asked asked,
      @Nullable Duration oldest) {
    this.plan = plan;
    this.stage = stage;
    this.store = store;
    this.keySerde = keySerde;
    this.valueSerde = valueSerde;
    this.asked = asked;
    this.oldest = oldest;
  }

  /// Returns the same store, whose answers may be those of copies that are not older than that.
  public CommittedStore<K, V> withCopies(Duration newOldest) {
    return new CommittedStore<>(plan, stage, store, keySerde, valueSerde, asked, newOldest);
  }

  /// The store of a name.
  ///
  /// @throws QueryException if there is none, or its keys and values have other formats
  public static <K, V> CommittedStore<K, V> of(
      Plan plan, String name, Serde<K> keySerde, Serde<V> valueSerde, Asked asked) {
    for (Plan.Stage stage : plan.stages()) {
      for (Plan.Store store : stage.stores()) {
        if (store.spec().name().equals(name)) {
          requireSame(name, "keys", store.spec().keySerde(), keySerde);
          requireSame(name, "values", store.spec().valueSerde(), valueSerde);
          return new CommittedStore<>(plan, stage, store, keySerde, valueSerde, asked, null);
        }
      }
    }
    List<String> names =
        plan.stages().stream()
            .flatMap(stage -> stage.stores().stream())
            .map(store -> store.spec().name())
            .sorted()
            .toList();
    throw new QueryException(
        "Application '%s' has no store '%s'; it has %s."
            .formatted(plan.application(), name, names));
  }

  private static void requireSame(String name, String what, Serde<?> kept, Serde<?> given) {
    if (!given.id().equals(kept.id()) || !given.canRead(kept.schema())) {
      throw new QueryException(
          "The %s of store '%s' have format '%s', but the given serde has format '%s'."
              .formatted(what, name, kept.id(), given.id()));
    }
  }

  /// The value of a key as of its task's last commit; an empty list if it has none.
  public CompletableFuture<List<V>> get(K key) {
    return get(Partitioner.partition(encoded(key), partitions()), key);
  }

  /// The value of a key, and how long ago it was the committed one, at most.
  public CompletableFuture<Aged<V>> aged(K key) {
    Bytes encoded = encoded(key);
    return ask(Partitioner.partition(encoded, partitions()), encoded, null)
        .thenApply(answer -> {
          List<Entry> entries = answer.entries();
          V value = entries.isEmpty() ? null : valueSerde.read(entries.getFirst().value());
          return new Aged<>(value, answer.age());
        });
  }

  /// A value that may be one of before.
  ///
  /// @param value null if there is none
  public record Aged<V>(@Nullable V value, Duration age) {}

  /// The same of a task that is known to have the key, as in a processor's own store.
  ///
  /// @param partition of the task, from 0
  public CompletableFuture<List<V>> get(int partition, K key) {
    return ask(partition, encoded(key), null)
        .thenApply(answer ->
            answer.entries().stream().map(entry -> valueSerde.read(entry.value())).toList());
  }

  /// The first entries with `from <= key < to` of one task, in the order of the keys' bytes.
  ///
  /// @param partition of the task, from 0
  /// @param from null for the first there is
  /// @param to null for the end of the store
  /// @param atMost how many
  /// @throws QueryException if the store is not declared with ranges
  public CompletableFuture<List<Found<K, V>>> range(
      int partition, @Nullable K from, @Nullable K to, int atMost) {
    if (!store.spec().ranges()) {
      throw new QueryException(
          "Store '%s' cannot be read in ranges. Declare it with StoreSpec.withRanges()."
              .formatted(store.spec().name()));
    }
    Bytes low = from == null ? new Bytes() : encoded(from);
    Question.Range range = new Question.Range(to == null ? null : encoded(to), atMost);
    return ask(partition, low, range)
        .thenApply(answer ->
            answer.entries().stream()
                .map(entry ->
                    new Found<>(keySerde.read(entry.key()), valueSerde.read(entry.value())))
                .toList());
  }

  /// An entry that was found.
  public record Found<K, V>(K key, V value) {}

  /// In how many tasks the store has its entries. Of a broadcast table, which every task has, one
  /// is asked.
  public int partitions() {
    return store.owner().broadcast() ? 1 : stage.partitions();
  }

  /// Those of [#partitions] that can be read in this container.
  public SortedSet<Integer> partitionsHere() {
    SortedSet<Integer> here = new TreeSet<>();
    for (int partition = 0; partition < partitions(); partition++) {
      Plan.TaskId task = plan.task(stage.firstTask() + partition);
      if (asked.owns(task) || (oldest != null && asked.copies(task))) {
        here.add(partition);
      }
    }
    return here;
  }

  private CompletableFuture<Question.Answer> ask(
      int partition, Bytes from, Question.@Nullable Range range) {
    if (partition < 0 || partition >= partitions()) {
      throw new QueryException(
          "Store '%s' has %d partitions, so there is no partition %d."
              .formatted(store.spec().name(), partitions(), partition));
    }
    Plan.TaskId task = plan.task(stage.firstTask() + partition);
    if (range != null && !plan.splits().partsOf(task.number()).isEmpty()) {
      throw new QueryException(
          "Task %s was split, and a range of store '%s' cannot be read in all of its parts. Ask for single keys."
              .formatted(task, store.spec().name()));
    }
    task = holder(task, from);
    CompletableFuture<Question.Answer> answer = new CompletableFuture<>();
    asked.ask(new Question(task, store.number(), from, range, oldest, answer));
    return answer;
  }

  /// Which of the tasks that a task was split into has a key, or would have it.
  private Plan.TaskId holder(Plan.TaskId task, Bytes key) {
    Plan.TaskId holder = task;
    for (int part : plan.splits().partsOf(task.number())) {
      if (!store.owner().broadcast() && plan.splits().firstShare(part).has(key)) {
        holder = holder(plan.task(part), key);
      }
    }
    return holder;
  }

  private Bytes encoded(K key) {
    BytesWriter out = new BytesWriter();
    keySerde.write(key, out);
    return Bytes.of(out.toByteArray());
  }
}
